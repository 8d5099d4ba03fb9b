extension InspectorPage {
  /// Elements, texts, and the model of a state.
  static let model = #"""
    const SVG = "http://www.w3.org/2000/svg";
    const byId = (id) => document.getElementById(id);

    // Texts come from the program, so they become text nodes and attributes only, never markup.
    function element(parent, tag, attributes = {}, ...children) {
      for (const [name, value] of Object.entries(attributes)) {
        if (name.startsWith("on")) parent.addEventListener(name.slice(2), value);
        else if (value === true) parent.setAttribute(name, "");
        else if (value !== false && value !== null && value !== undefined) parent.setAttribute(name, value);
      }
      parent.append(...children.filter((child) => child !== null && child !== undefined));
      return parent;
    }
    const html = (tag, ...rest) => element(document.createElement(tag), tag, ...rest);
    const svg = (tag, ...rest) => element(document.createElementNS(SVG, tag), tag, ...rest);

    const plural = (count, noun) => `${count.toLocaleString()} ${noun}${count === 1 ? "" : "s"}`;

    function duration(seconds) {
      if (seconds === null || seconds === undefined) return "";
      const units = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"], [1e-3, "ms"], [1e-6, "µs"]];
      const [size, unit] = units.find(([size]) => seconds >= size) ?? [1e-9, "ns"];
      const value = seconds / size;
      return `${value >= 100 ? Math.round(value) : value.toPrecision(value >= 10 ? 3 : 2).replace(/\.0$/, "")} ${unit}`;
    }

    const clock = (age, fetched) => (age === null ? "" : new Date(fetched - age * 1000).toLocaleTimeString());

    // From the users of services to the services that everything uses: bands are drawn in this order.
    const lifetimes = {
      scoped: "scoped", expected: "expected from scopes", transient: "transient", graph: "graph", shared: "shared",
      pooled: "pooled", managed: "managed", singleton: "singleton", missing: "not registered",
    };

    function lifetimeOf(node) {
      if (node.scope === null) return node.kind === "missing" ? "missing" : "expected";
      const name = node.scope.match(/^\w*/)[0];
      return name === "automatic" ? "shared" : name in lifetimes ? name : "transient";
    }

    function makeModel(state, fetched) {
      const names = state.graph.containers;
      const nodes = state.graph.nodes.map((node) => {
        const lifetime = lifetimeOf(node);
        const place = names.length > 1 ? ` in ${names[node.container]}` : "";
        const band = (node.scope ?? lifetimes[lifetime]) + place;
        return {
          ...node, lifetime, band, module: node.module || "other", cluster: `${band} · ${node.module || "other"}`,
          dependencies: [], dependents: [], instances: [], builds: [], problems: [],
        };
      });
      const edges = state.graph.edges.map((edge, index) => {
        // A deferred dependency is not needed to build the dependent service.
        const awaits = nodes[edge.to].asynchronous && edge.need !== "later" && edge.need !== "possible";
        return { ...edge, index, awaits };
      });
      for (const edge of edges) {
        nodes[edge.from].dependencies.push(edge);
        nodes[edge.to].dependents.push(edge);
      }
      for (const instance of state.instances) nodes[instance.node]?.instances.push(instance);
      for (const build of state.builds) nodes[build.node]?.builds.push(build);
      for (const problem of state.problems) {
        for (const node of nodes) if (problem.path.includes(node.name)) node.problems.push(problem);
      }
      for (const node of nodes) {
        node.users = new Set(node.dependents.map((edge) => edge.from)).size;
        // What was made says more than what is registered.
        const types = new Set(node.instances.map((instance) => instance.type));
        if (node.implementation) types.add(node.implementation);
        types.delete(node.service);
        types.delete(node.service.replace(/^any /, ""));
        node.types = [...types];
        node.text = `${node.name} ${node.service} ${node.types.join(" ")} ${node.module}`.toLowerCase();
      }
      const clusters = new Map();
      for (const node of nodes) {
        if (!clusters.has(node.cluster)) clusters.set(node.cluster, []);
        clusters.get(node.cluster).push(node);
      }
      return { state, fetched, nodes, edges, clusters };
    }

    const shortType = (type) => type.replace(/^any /, "").replace(/(?:\w+\.)+(?=\w)/g, "");

    // The second line of a node: the type that is made, if it is known, and traits. The title of a frame may say the scope already.
    function traits(node, withScope = true) {
      const parts = [];
      if (node.types.length > 0) parts.push(node.types.map(shortType).join(" | "));
      if (node.kind === "missing" || node.kind === "expected") parts.push(lifetimes[node.lifetime]);
      else if (node.kind !== "registration") parts.push(node.kind);
      if (node.scope !== null && withScope) parts.push(node.scope);
      if (node.eager) parts.push("eager");
      if (node.asynchronous) parts.push("async");
      if (node.opaque) parts.push("opaque");
      if (node.faulty) parts.push("faulty");
      return parts.length === 0 ? node.scope : parts.join(" · ");
    }

    // The services within a number of steps, by direction. A service that only shares a dependency with the root is not included.
    function neighbourhood(model, root, depth) {
      const found = new Map([[root.id, 0]]);
      const hidden = { "-1": 0, "1": 0 };
      const limit = 40;
      for (const direction of [1, -1]) {
        let frontier = [root];
        const reached = new Set([root.id]);
        for (let step = 1; step <= depth && frontier.length > 0; step += 1) {
          const next = [];
          for (const node of frontier) {
            for (const edge of direction > 0 ? node.dependencies : node.dependents) {
              const other = model.nodes[direction > 0 ? edge.to : edge.from];
              if (reached.has(other.id)) continue;
              reached.add(other.id);
              next.push(other);
            }
          }
          // The most used ones stay, if there are too many to read.
          next.sort((a, b) => b.users - a.users || a.id - b.id);
          hidden[direction] += Math.max(0, next.length - limit);
          frontier = next.slice(0, limit);
          for (const node of frontier) if (!found.has(node.id)) found.set(node.id, step * direction);
        }
      }
      return { found, dependencies: hidden[1], dependents: hidden[-1] };
    }
    """#
}
