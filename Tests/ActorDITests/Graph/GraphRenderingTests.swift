import ActorDITestSupport
import ActorDITesting
import Foundation
import Testing

@testable import ActorDI

/// The documented schema of ``DependencyGraph/json``.
struct GraphDocument: Decodable {
  struct Node: Decodable {
    let id: Int
    let kind: String
    let name: String
    let service: String
    let module: String
    let implementation: String?
    let key: String?
    let arguments: [String]
    let scope: String?
    let timeToLive: String?
    let container: Int
    let source: String?
    let opaque: Bool
    let eager: Bool
    let asynchronous: Bool
    let faulty: Bool
  }

  struct Edge: Decodable {
    let from: Int
    let to: Int
    let kind: String
    let need: String
    let inCycle: Bool
    let captive: Bool
  }

  let containers: [String]
  let nodes: [Node]
  let edges: [Edge]

  init(_ graph: DependencyGraph) throws {
    self = try JSONDecoder().decode(GraphDocument.self, from: Data(graph.json.utf8))
  }
}

@Suite("Renderings of a dependency graph")
struct GraphRenderingTests {
  /// Two containers with registrations of every kind.
  private func makeGraph() -> DependencyGraph {
    let shared = Container(name: "shared") {
      Registration(
        Alpha.self, scope: .singleton, factory: { _ async in Alpha() }, fileID: "App/Shared.swift", line: 1
      ).dependsOn().eager()
    }
    let app = Container(name: "app", parent: shared) {
      Registration(
        autowired: Beta.self, scope: .shared, initializer: Beta.init, fileID: "App/Services.swift", line: 2)
      Registration(Polite.self, scope: .singleton, factory: { _ in Polite() }, fileID: "App/Services.swift", line: 3)
        .key("x").implements((any Greeter).self) { $0 }
      Registration(
        autowired: Root.self, initializer: { (_: Lazy<Beta>, _: Setting) in Root() }, fileID: "App/Services.swift",
        line: 4)
      Registration(
        autowired: Leaf.self, initializer: { (_: Leaf?) in Leaf() }, fileID: "App/Services.swift", line: 5)
    }
    return app.dependencyGraph()
  }

  @Test func rendersDOT() {
    let expected = #"""
      digraph dependencies {
        graph [rankdir=LR, bgcolor=transparent, nodesep=0.25, ranksep=0.7, fontname="Helvetica,Arial,sans-serif", fontsize=12, fontcolor="#7f7f7f", color="#7f7f7f"]
        node [shape=box, style=filled, margin="0.14,0.07", fontname="Helvetica,Arial,sans-serif", fontsize=12, fontcolor="#1a1a1a"]
        edge [color="#7f7f7f", arrowsize=0.7, fontname="Helvetica,Arial,sans-serif", fontsize=9, fontcolor="#7f7f7f"]
        subgraph cluster_0 { label="app"; labeljust=l; style=rounded
          n0 [label=<<b>Beta</b><br/><font point-size="9">shared</font>>, style="filled", fillcolor="#d9f0dc", color="#3f8f4f", penwidth=1, tooltip="ActorDITestSupport.Beta at App/Services.swift:2"]
          n1 [label=<<b>Polite[&quot;x&quot;]</b><br/><font point-size="9">singleton, opaque</font>>, style="filled,dotted", fillcolor="#cfe3ff", color="#2f6fbf", penwidth=2, tooltip="ActorDITestSupport.Polite at App/Services.swift:3"]
          n2 [label=<<b>any Greeter[&quot;x&quot;]</b><br/><font point-size="9">alias, singleton: Polite</font>>, style="filled", fillcolor="#cfe3ff", color="#2f6fbf", penwidth=2, tooltip="any ActorDITestSupport.Greeter at App/Services.swift:3"]
          n3 [label=<<b>Root</b><br/><font point-size="9">transient</font>>, style="filled,rounded", fillcolor="#f2f2f2", color="#6b6b6b", penwidth=1, tooltip="ActorDITestSupport.Root at App/Services.swift:4"]
          n4 [label=<<b>Leaf</b><br/><font point-size="9">transient</font>>, style="filled,rounded", fillcolor="#f2f2f2", color="#6b6b6b", penwidth=1, tooltip="ActorDITestSupport.Leaf at App/Services.swift:5"]
          n6 [label=<<b>Setting</b><br/><font point-size="9">not registered</font>>, style="filled,dashed", fillcolor="#fff0f0", color="#d02020", penwidth=1.5, tooltip="ActorDITestSupport.Setting"]
        }
        subgraph cluster_1 { label="shared"; labeljust=l; style=rounded
          n5 [label=<<b>Alpha</b><br/><font point-size="9">singleton, eager, async</font>>, style="filled", fillcolor="#cfe3ff", color="#2f6fbf", penwidth=2, tooltip="ActorDITestSupport.Alpha at App/Shared.swift:1"]
        }
        n0 -> n5
        n2 -> n1 [label="aliases", arrowhead=empty]
        n3 -> n0 [label="later", style=dashed]
        n3 -> n6
        n4 -> n4 [label="optional, cycle", color="#d02020", fontcolor="#d02020", penwidth=2]
      }

      """#
    #expect(makeGraph().dot == expected)
  }

  @Test func rendersMermaid() {
    let expected = #"""
      flowchart LR
        subgraph c0["app"]
          n0["<b>Beta</b><br/><small>shared</small>"]
          n1["<b>Polite[#quot;x#quot;]</b><br/><small>singleton, opaque</small>"]
          n2["<b>any Greeter[#quot;x#quot;]</b><br/><small>alias, singleton#58; Polite</small>"]
          n3("<b>Root</b><br/><small>transient</small>")
          n4("<b>Leaf</b><br/><small>transient</small>")
          n6["<b>Setting</b><br/><small>not registered</small>"]
        end
        subgraph c1["shared"]
          n5["<b>Alpha</b><br/><small>singleton, eager, async</small>"]
        end
        n0 --> n5
        n2 -->|"aliases"| n1
        n3 -.->|"later"| n0
        n3 --> n6
        n4 ==>|"optional, cycle"| n4
        classDef kept fill:#cfe3ff,stroke:#2f6fbf,stroke-width:2px,color:#1a1a1a
        class n1,n2,n5 kept
        classDef weak fill:#d9f0dc,stroke:#3f8f4f,color:#1a1a1a
        class n0 weak
        classDef passing fill:#f2f2f2,stroke:#6b6b6b,color:#1a1a1a
        class n3,n4 passing
        classDef missing fill:#fff0f0,stroke:#d02020,stroke-dasharray:6 4,color:#1a1a1a
        class n6 missing
        classDef opaque stroke-dasharray:2 3
        class n1 opaque
        linkStyle 4 stroke:#d02020,stroke-width:2px

      """#
    #expect(makeGraph().mermaid == expected)
  }

  @Test func rendersJSON() {
    let expected = #"""
      {
        "containers": ["app", "shared"],
        "nodes": [
          {"id": 0, "kind": "registration", "name": "Beta", "service": "ActorDITestSupport.Beta", "module": "ActorDITestSupport", "implementation": null, "key": null, "arguments": [], "scope": "shared", "timeToLive": null, "container": 0, "source": "App/Services.swift:2", "opaque": false, "eager": false, "asynchronous": false, "faulty": false},
          {"id": 1, "kind": "registration", "name": "Polite[\"x\"]", "service": "ActorDITestSupport.Polite", "module": "ActorDITestSupport", "implementation": null, "key": "x", "arguments": [], "scope": "singleton", "timeToLive": null, "container": 0, "source": "App/Services.swift:3", "opaque": true, "eager": false, "asynchronous": false, "faulty": false},
          {"id": 2, "kind": "alias", "name": "any Greeter[\"x\"]", "service": "any ActorDITestSupport.Greeter", "module": "ActorDITestSupport", "implementation": "ActorDITestSupport.Polite", "key": "x", "arguments": [], "scope": "singleton", "timeToLive": null, "container": 0, "source": "App/Services.swift:3", "opaque": false, "eager": false, "asynchronous": false, "faulty": false},
          {"id": 3, "kind": "registration", "name": "Root", "service": "ActorDITestSupport.Root", "module": "ActorDITestSupport", "implementation": null, "key": null, "arguments": [], "scope": "transient", "timeToLive": null, "container": 0, "source": "App/Services.swift:4", "opaque": false, "eager": false, "asynchronous": false, "faulty": false},
          {"id": 4, "kind": "registration", "name": "Leaf", "service": "ActorDITestSupport.Leaf", "module": "ActorDITestSupport", "implementation": null, "key": null, "arguments": [], "scope": "transient", "timeToLive": null, "container": 0, "source": "App/Services.swift:5", "opaque": false, "eager": false, "asynchronous": false, "faulty": false},
          {"id": 5, "kind": "registration", "name": "Alpha", "service": "ActorDITestSupport.Alpha", "module": "ActorDITestSupport", "implementation": null, "key": null, "arguments": [], "scope": "singleton", "timeToLive": null, "container": 1, "source": "App/Shared.swift:1", "opaque": false, "eager": true, "asynchronous": true, "faulty": false},
          {"id": 6, "kind": "missing", "name": "Setting", "service": "ActorDITestSupport.Setting", "module": "ActorDITestSupport", "implementation": null, "key": null, "arguments": [], "scope": null, "timeToLive": null, "container": 0, "source": null, "opaque": false, "eager": false, "asynchronous": false, "faulty": false}
        ],
        "edges": [
          {"from": 0, "to": 5, "kind": "parameter", "need": "required", "inCycle": false, "captive": false},
          {"from": 2, "to": 1, "kind": "aliases", "need": "required", "inCycle": false, "captive": false},
          {"from": 3, "to": 0, "kind": "parameter", "need": "later", "inCycle": false, "captive": false},
          {"from": 3, "to": 6, "kind": "parameter", "need": "required", "inCycle": false, "captive": false},
          {"from": 4, "to": 4, "kind": "parameter", "need": "optional", "inCycle": true, "captive": false}
        ]
      }

      """#
    #expect(makeGraph().json == expected)
  }

  @Test func theJSONDecodesByItsDocumentedSchema() throws {
    let graph = makeGraph()
    let document = try GraphDocument(graph)
    #expect(document.containers == graph.containers)
    #expect(document.nodes.map(\.id) == graph.nodes.map(\.id))
    #expect(document.nodes.map(\.source) == graph.nodes.map { $0.source?.description })
    #expect(document.edges.map { [$0.from, $0.to] } == graph.edges.map { [$0.from, $0.to] })
    #expect(document.edges.map(\.need) == graph.edges.map(\.need.description))
    #expect(document.edges.map(\.inCycle) == graph.edges.map(\.isInCycle))
  }

  @Test func aGraphOfOneContainerHasNoFrame() throws {
    let graph = Container(name: "only") { Registration.node(1) }.dependencyGraph()
    #expect(!graph.dot.contains("cluster") && !graph.mermaid.contains("subgraph"))
    let empty = Container().dependencyGraph()
    #expect(empty.mermaid == "flowchart LR\n")
    #expect(empty.dot.hasSuffix("]\n}\n"))
    #expect(try GraphDocument(empty).nodes.isEmpty)
  }

  @Test func severalModulesAreFramed() {
    let app = Container(name: "app") {
      Registration(autowired: Leaf.self, initializer: { (_: Int, _: (Int, Bool)) in Leaf() })
      Registration(instance: 8080)
      Registration(Alpha.self, scope: .scoped("request")) { _ in Alpha() }.dependsOn()
    }
    let graph = app.dependencyGraph()
    #expect(graph.nodes.map(\.module) == ["ActorDITestSupport", "Swift", "ActorDITestSupport", ""])
    let frames = graph.mermaid.split(separator: "\n").prefix(12)
    #expect(
      frames.map { $0.prefix { $0 != "<" } } == [
        "flowchart LR",
        #"  subgraph c0_0["ActorDITestSupport"]"#, #"    n0(""#, #"    n2[""#, "  end",
        #"  subgraph c0_1["Swift"]"#, #"    n1[""#, "  end",
        #"  subgraph c0_2[" "]"#, #"    n3[""#, "  end",
        "  n0 --> n1",
      ])
    #expect(
      graph.dot.contains("  subgraph cluster_0_0 { label=\"ActorDITestSupport\"; labeljust=l; style=rounded\n    n0 ["))
    #expect(graph.dot.matches(of: #/fillcolor="#e6dcfa"/#).count == 1)
    #expect(graph.mermaid.contains("class n2 scoped\n"))

    let parent = Container(name: "child", parent: app) { Registration(autowired: Root.self) { (_: Leaf) in Root() } }
    let nested = parent.dependencyGraph()
    #expect(nested.mermaid.contains("  subgraph c1[\"app\"]\n    subgraph c1_0[\"ActorDITestSupport\"]\n      n1("))
    #expect(nested.dot.matches(of: #/\{/#).count == nested.dot.matches(of: #/\}/#).count)
  }

  // MARK: Escaping

  static let awkward = [
    "\"", "\\", "\\\"", "a\nb\r\nc", "\u{0}\u{1}\u{7F}\u{85}\u{2028}", "<b>&amp;</b>", "a|b", "[x](y)", "{z}", "#quot;",
    "%%{init}", "`code`", "*a*_b_~c~", "é 日本 👩‍👩‍👧 e\u{301}", "\\N\\G", "1. a", "- a", "a:b;c#d;", "www.x.y", "$$x$$", "",
    "style:#f;", "\u{FFFF}", "end", "'",
  ]

  /// A graph with the text as a key, as a container's name and as a managed scope's name.
  func graph(of text: String) -> DependencyGraph {
    let parent = Container(name: text) {
      Registration(Alpha.self, scope: .managed(by: ManagedScope(text))) { _ in Alpha() }
    }
    return Container(name: "child " + text, parent: parent) {
      Registration(autowired: Beta.self, initializer: Beta.init).key(text)
    }.dependencyGraph()
  }

  @Test(arguments: awkward)
  func theJSONPreservesAnyText(text: String) throws {
    let document = try GraphDocument(graph(of: text))
    #expect(document.containers == ["child " + text, text])
    #expect(document.nodes.map(\.key) == [text, nil])
    #expect(document.nodes.map(\.name) == ["Beta[\"\(text)\"]", "Alpha"])
    #expect(document.nodes.map(\.scope) == ["transient", "managed(\"\(text)\")"])
  }

  @Test(arguments: awkward)
  func theDOTEscapesAnyText(text: String) {
    let graph = graph(of: text)
    let lines = graph.dot.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 13)
    for scalar in graph.dot.unicodeScalars where scalar != "\n" { #expect(scalar == scalar.visible) }
    for line in lines where line.contains("label=<") {
      let label = line.prefix(through: line.firstRange(of: ">, style")?.lowerBound ?? line.startIndex)
      let inner = label.drop { $0 != "<" }.dropFirst().dropLast()
      #expect(!isBalanced(inner).contains(false), "\(line)")
    }
    for line in lines {
      // Outside HTML, unescaped quotes come in pairs.
      let rest =
        line.contains("label=<") ? line[(line.firstRange(of: ">, style")?.upperBound ?? line.startIndex)...] : line
      #expect(countOfQuotes(rest).isMultiple(of: 2), "\(line)")
    }
  }

  @Test(arguments: awkward)
  func theMermaidEscapesAnyText(text: String) throws {
    let mermaid = graph(of: text).mermaid
    #expect(!mermaid.contains("[\"\"]"), "Mermaid reads no empty title")
    let lines = mermaid.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 15)
    for line in lines {
      let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
      // A line has no quoted text, or one.
      #expect(parts.count == 1 || parts.count == 3, "\(line)")
      guard parts.count == 3 else { continue }
      let plain = parts[1].replacing("<b>", with: "").replacing("</b>", with: "").replacing("<br/>", with: "")
        .replacing("<small>", with: "").replacing("</small>", with: "")
      #expect(plain.allSatisfy { !"<>&`*_~\\%$@:".contains($0) }, "\(line)")
      let entities = plain.matches(of: #/#(quot|lt|gt|amp|[0-9]+);/#).count
      #expect(entities == plain.filter { $0 == "#" }.count)
      #expect(!plain.contains("](") && !plain.contains("www."))
    }
  }

  /// Checks that every opened tag is closed, and that there are no other tags or entities.
  private func isBalanced(_ html: Substring) -> [Bool] {
    let rest = html.replacing("<b>", with: "").replacing("</b>", with: "").replacing("<br/>", with: "")
      .replacing("<font point-size=\"9\">", with: "").replacing("</font>", with: "")
      .replacing(#"\\"#, with: "")
    return [
      !rest.contains { "<>\"\\".contains($0) },
      rest.matches(of: #/&(amp|lt|gt|quot);/#).count == rest.filter { $0 == "&" }.count,
    ]
  }

  private func countOfQuotes(_ line: Substring) -> Int {
    var count = 0
    var isEscaped = false
    for character in line {
      if character == "\"" && !isEscaped { count += 1 }
      isEscaped = character == "\\" && !isEscaped
    }
    return count
  }

  @Test func renderingsShortenLongNames() throws {
    let key = String(repeating: "k", count: 1_000)
    let graph = Container { Registration.node(1).key(key) }.dependencyGraph()
    #expect(graph.dot.contains("<b>Int[&quot;kkkkkkkkkkkkkkkkkkk…kkkkkkkkkkkkkkkkkkkkk&quot;]</b>"))
    #expect(graph.mermaid.count < 300)
    #expect(try GraphDocument(graph).nodes.first?.key == key)
  }

  @Test func genericAndPrivateTypesHaveStableNames() throws {
    struct Pair<First, Second>: Sendable {}
    struct Local: Sendable {}
    let graph = Container {
      Registration(Pair<Local, [String: Int?]>.self) { _ in Pair() }.dependsOn()
    }.dependencyGraph()
    let node = try #require(try GraphDocument(graph).nodes.first)
    #expect(node.name == "Pair<Local, Dictionary<String, Optional<Int>>>")
    #expect(
      node.service
        == "ActorDIGraphTests.GraphRenderingTests.Pair<ActorDIGraphTests.GraphRenderingTests.Local, "
        + "Swift.Dictionary<Swift.String, Swift.Optional<Swift.Int>>>")
    #expect(!graph.dot.contains("unknown context") && !graph.dot.contains("$"))
  }
}

@Suite("Large dependency graphs", .timeLimit(.minutes(5)))
struct DependencyGraphSizeTests {
  @Test func rendersAChainOfTenThousandServices() throws {
    let container = Container {
      for number in 0..<10_000 { Registration.node(number, takes: number + 1) }
    }
    let graph = container.dependencyGraph()
    #expect(graph.nodes.count == 10_001 && graph.edges.count == 10_000)
    #expect(graph.dot.split(separator: "\n").count == 20_006)
    #expect(graph.mermaid.split(separator: "\n").count == 20_006)
    #expect(try GraphDocument(graph).edges.count == 10_000)
  }

  @Test func marksARingOfTenThousandServicesWithACaptive() {
    let container = Container {
      Registration.node(0, takes: 1, scope: .singleton)
      for number in 1..<9_999 { Registration.node(number, takes: number + 1) }
      Registration.node(9_999, takes: 0, scope: .managed(by: ManagedScope()))
    }
    let graph = container.dependencyGraph()
    #expect(graph.edges.filter(\.isInCycle).count == 10_000)
    #expect(graph.edges.filter(\.isCaptive).count == 9_999)
  }

  @Test func equalRegistrationsGiveEqualGraphs() async throws {
    let scope = ManagedScope("s")
    let makeGraph = { @Sendable in
      var random = SeededGenerator(seed: 3)
      let takes = (0..<300).map { _ in (0..<3).map { _ in Int.random(in: 0..<310, using: &random) } }
      let parent = Container(name: "parent") {
        for number in 0..<100 { Registration.node(number, takes: takes[number][0], scope: .shared) }
      }
      let linked = Container(name: "linked") {
        for number in 100..<200 { Registration.node(number, takes: takes[number][0], takes[number][1]) }
      }
      let container = Container(name: "app", parent: parent) {
        for number in 200..<300 {
          Registration.node(
            number, takes: takes[number][0], takes[number][1], takes[number][2],
            scope: number % 7 == 0 ? .managed(by: scope) : number % 5 == 0 ? .singleton : .transient)
        }
        Registration(autowired: Root.self) { (_: [Int]) in Root() }
      }
      container.link(linked)
      linked.link(container)
      return container.dependencyGraph()
    }
    let first = makeGraph()
    #expect(first.nodes.count > 300)
    #expect(first.edges.filter(\.isInCycle).count > 0 && first.edges.filter(\.isCaptive).count > 0)
    let graphs = await withTaskGroup(of: DependencyGraph.self, returning: [DependencyGraph].self) { group in
      for _ in 0..<8 { group.addTask { makeGraph() } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    for graph in graphs {
      #expect(graph == first)
      #expect(graph.dot == first.dot && graph.mermaid == first.mermaid && graph.json == first.json)
    }
    #expect(Set(graphs).count == 1)
  }
}
