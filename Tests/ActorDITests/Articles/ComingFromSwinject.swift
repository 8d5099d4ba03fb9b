import ActorDITestSupport
import Synchronization
import Testing

@testable import ActorDI

/// What the article of this name shows.
@Suite("Coming from Swinject")
struct ComingFromSwinject {
  // snippet: swinject services
  protocol Animal: Sendable { var name: String { get } }
  struct Cat: Animal { let name: String }
  struct Dog: Animal { let name: String }

  protocol Person: Sendable { var pet: any Animal { get } }
  final class PetOwner: Person {
    let pet: any Animal
    init(pet: any Animal) { self.pet = pet }
  }
  // end

  @Test func registeringAndResolving() async throws {
    // snippet: swinject registering
    let container = Container {
      Registration(autowired: (any Animal).self) { Cat(name: "Mimi") }
      Registration((any Person).self) { r in PetOwner(pet: try r.resolve()) }
    }
    let person = try await container.resolve((any Person).self)
    // end
    #expect(person.pet.name == "Mimi")
    // snippet: swinject registering later
    try await container.register((any Animal).self) { _ in Dog(name: "Hachi") }
    // end
    #expect(try await container.resolve((any Person).self).pet is Dog)
    let journal = Journal<String>()
    // snippet: swinject registering with a hook
    try await container.register(
      Registration(autowired: (any Animal).self) { Dog(name: "Hachi") }
        .onCreated { animal, _ in journal.note("\(animal.name) is born") })
    // end
    #expect(try await container.resolve((any Person).self).pet is Dog)
    #expect(journal.entries == ["Hachi is born"])
    let error = try await asyncResolutionError { try await container.resolve(Int.self) }
    #expect(error.code == .notRegistered)
  }

  @Test func names() async throws {
    // snippet: swinject names
    let container = Container {
      Registration(autowired: (any Animal).self) { Cat(name: "Mimi") }.key("cat")
      Registration(autowired: (any Animal).self) { Dog(name: "Hachi") }.key("dog")
    }
    let dog = try await container.resolve((any Animal).self, key: "dog")
    // end
    #expect(dog.name == "Hachi")
    #expect(!container.contains((any Animal).self))
  }

  @Test func runTimeArguments() async throws {
    // snippet: swinject arguments
    let container = Container {
      Registration((any Animal).self) { (_, name: String) in Cat(name: name) }
      Registration((any Animal).self) { (_, name: String, age: Int) in Cat(name: "\(name), \(age)") }
    }
    let mimi = try await container.resolve((any Animal).self, arguments: "Mimi")
    let old = try await container.resolve((any Animal).self, arguments: "Tama", 17)
    // end
    #expect(mimi.name == "Mimi")
    #expect(old.name == "Tama, 17")
    let error = try await asyncResolutionError {
      try await container.resolve((any Animal).self, arguments: 17, "Tama")
    }
    #expect(error.code == .argumentMismatch)
  }

  @Test func objectScopes() async throws {
    // snippet: swinject scopes
    let container = Container(configuration: .init(defaultScope: .graph)) {
      Registration(autowired: (any Animal).self) { Cat(name: "Mimi") }
      Registration((any Person).self) { r in PetOwner(pet: try r.resolve()) }.scope(.transient)
      Registration(PetOwner.self, scope: .singleton) { r in PetOwner(pet: try r.resolve()) }
      Registration(PetOwner.self, scope: .shared) { r in PetOwner(pet: try r.resolve()) }.key("weak")
    }
    // end
    let scopes = container.registrations.map(\.scope)
    #expect(scopes == [.graph, .transient, .singleton, .shared])
    let kept = try await container.resolve(PetOwner.self)
    #expect(try await container.resolve(PetOwner.self) === kept)
    let lifetime = ObjectLifetime()
    try await container.register(ObjectLifetime.Token.self, scope: .shared) { _ in lifetime.token() }
    do {
      let token = try await container.resolve(ObjectLifetime.Token.self)
      #expect(try await container.resolve(ObjectLifetime.Token.self) === token)
    }
    await lifetime.ended.wait()
  }

  @Test func graphScopeIsOneInstancePerCall() async throws {
    struct Pair: Sendable {
      let left: PetOwner
      let right: PetOwner
    }
    let container = Container(configuration: .init(defaultScope: .graph)) {
      Registration(autowired: (any Animal).self) { Cat(name: "Mimi") }
      Registration(PetOwner.self) { r in PetOwner(pet: try r.resolve()) }
      Registration(Pair.self) { r in Pair(left: try r.resolve(), right: try r.resolve()) }
    }
    let pair = try await container.resolve(Pair.self)
    #expect(pair.left === pair.right)
    #expect(try await container.resolve(PetOwner.self) !== pair.left)
  }

  @Test func customScopes() async throws {
    // snippet: swinject custom scope
    let session = ManagedScope("session")
    let container = Container {
      Registration(autowired: PetOwner.self, scope: .managed(by: session)) {
        PetOwner(pet: Cat(name: "Mimi"))
      }
    }
    let owner = try await container.resolve(PetOwner.self)
    await session.invalidate()
    let other = try await container.resolve(PetOwner.self)
    // end
    #expect(owner !== other)
    #expect(try await container.resolve(PetOwner.self) === other)
  }

  @Test func resettingScopes() async throws {
    let container = Container {
      Registration(autowired: PetOwner.self, scope: .singleton) { PetOwner(pet: Cat(name: "Mimi")) }
    }
    let child = container.makeChild {
      Registration(autowired: PetOwner.self, scope: .singleton) { PetOwner(pet: Dog(name: "Hachi")) }.key("child")
    }
    let owner = try await container.resolve(PetOwner.self)
    let owned = try await child.resolve(PetOwner.self, key: "child")
    await child.reset(.singleton)
    // Children go with their parents, not the other way round.
    #expect(try await child.resolve(PetOwner.self) === owner)
    #expect(try await child.resolve(PetOwner.self, key: "child") !== owned)
    let again = try await child.resolve(PetOwner.self, key: "child")
    // snippet: swinject reset
    await container.reset(.singleton)
    await container.reset(PetOwner.self)
    await container.reset()
    // end
    #expect(try await child.resolve(PetOwner.self, key: "child") !== again)
    #expect(try await container.resolve(PetOwner.self) !== owner)
    // snippet: swinject remove all
    await container.clear()
    // end
    #expect(container.registrationCount == 0)
    #expect(child.registrationCount == 1)
  }

  // snippet: swinject mother and daughter
  @MainActor final class Mother {
    var daughter: Daughter?
  }
  @MainActor final class Daughter {
    weak var mother: Mother?
  }
  // end

  @Test func propertyCycles() async throws {
    // snippet: swinject init completed
    let container = Container {
      Registration(autowired: Mother.self, scope: .graph) { @MainActor in Mother() }
        .onCreated { @MainActor mother, r in mother.daughter = try await r.resolve() }
      Registration(autowired: Daughter.self, scope: .graph) { @MainActor in Daughter() }
        .onCreated { @MainActor daughter, r in daughter.mother = try await r.resolve() }
    }
    let mother = try await container.resolve(Mother.self)
    // end
    try await Task { @MainActor in
      #expect(mother.daughter?.mother === mother)
      let other = try await container.resolve(Mother.self)
      #expect(other !== mother && other.daughter !== mother.daughter)
    }.value
    // In singleton scope too, each made once.
    let (mothers, daughters) = (Counter(), Counter())
    let family = Container(configuration: .init(defaultScope: .singleton)) {
      Registration(autowired: Mother.self) { @MainActor in
        mothers.increment(); return Mother()
      }
      .onCreated { @MainActor mother, r in mother.daughter = try await r.resolve() }
      Registration(autowired: Daughter.self) { @MainActor in
        daughters.increment(); return Daughter()
      }
      .onCreated { @MainActor daughter, r in daughter.mother = try await r.resolve() }
    }
    let daughter = try await family.resolve(Daughter.self)
    let parent = try await family.resolve(Mother.self)
    await MainActor.run { #expect(parent.daughter === daughter && daughter.mother === parent) }
    #expect(mothers.count == 1 && daughters.count == 1)
    let transient = Container {
      Registration(autowired: Mother.self) { @MainActor in Mother() }
        .onCreated { @MainActor mother, r in mother.daughter = try await r.resolve() }
      Registration(autowired: Daughter.self) { @MainActor in Daughter() }
        .onCreated { @MainActor daughter, r in daughter.mother = try await r.resolve() }
    }
    let error = try await asyncResolutionError { try await transient.resolve(Mother.self) }
    #expect(error.path == ["Mother", "Daughter", "Mother"])
  }

  // snippet: swinject parent and child
  @MainActor final class Parent {
    let child: Child
    init(child: Child) { self.child = child }
  }
  @MainActor final class Child {
    weak var parent: Parent?
  }
  // end

  @Test func initialiserAndPropertyCycles() async throws {
    // snippet: swinject initialiser and property
    let container = Container {
      Registration(autowired: Parent.self, scope: .graph, initializer: Parent.init)
        .onCreated { @MainActor parent, _ in parent.child.parent = parent }
      Registration(autowired: Child.self, scope: .graph, initializer: Child.init)
    }
    let parent = try await container.resolve(Parent.self)
    // end
    await MainActor.run { #expect(parent.child.parent === parent) }
    // Word by word: fine from the side of the property, a cycle from the side of the initialiser.
    let literal = Container {
      Registration(autowired: Parent.self, scope: .singleton, initializer: Parent.init)
      Registration(autowired: Child.self, scope: .singleton) { @MainActor in Child() }
        .onCreated { @MainActor child, r in child.parent = try await r.resolve() }
    }
    let error = try await asyncResolutionError { try await literal.resolve(Parent.self) }
    #expect(error.path == ["Parent", "Child", "Parent"])
    let child = try await literal.resolve(Child.self)
    let itsParent = try await literal.resolve(Parent.self)
    await MainActor.run { #expect(child.parent === itsParent) }
  }

  @Test func hooksRunInOrder() async throws {
    let journal = Journal<String>()
    // snippet: swinject several hooks
    let container = Container {
      Registration(autowired: (any Animal).self) { Cat(name: "Mimi") }
        .onCreated { animal, _ in journal.note("\(animal.name) is born") }
        .onCreated { animal, _ in journal.note("\(animal.name) is washed") }
    }
    // end
    _ = try await container.resolve((any Animal).self)
    #expect(journal.entries == ["Mimi is born", "Mimi is washed"])
  }

  // snippet: swinject chicken and egg
  final class Chicken: Sendable {
    let egg: Egg
    init(egg: Egg) { self.egg = egg }
  }
  final class Egg: Sendable {
    let chicken: Lazy<Chicken>
    init(chicken: Lazy<Chicken>) { self.chicken = chicken }
  }
  // end

  @Test func initialiserCycles() async throws {
    // snippet: swinject initialiser cycle
    let container = Container {
      Registration(autowired: Chicken.self, scope: .graph, initializer: Chicken.init)
      Registration(autowired: Egg.self, scope: .graph, initializer: Egg.init)
    }
    let chicken = try await container.resolve(Chicken.self)
    let same = try await chicken.egg.chicken()
    // end
    #expect(same === chicken)
    let circular = Container {
      Registration((any Animal).self) { r in try r.resolve((any Person).self).pet }
      Registration((any Person).self) { r in PetOwner(pet: try r.resolve()) }
    }
    let error = try await asyncResolutionError { try await circular.resolve((any Animal).self) }
    #expect(error.description.contains("Dependency cycle detected: any Animal -> any Person -> any Animal"))
  }

  // snippet: swinject property
  final class PetShop {
    var pet: (any Animal)?
    var sign: String?
  }
  // end

  @Test func propertyInjection() async throws {
    // snippet: swinject property injection
    let container = Container {
      Registration(autowired: (any Animal).self) { Cat(name: "Mimi") }
      Registration(PetShop.self) { _ in PetShop() }
        .inject(\.pet)
        .onCreated { shop, _ in shop.sign = "Pets" }
    }
    let shop = try await container.resolve(PetShop.self)
    // end
    #expect(shop.pet?.name == "Mimi" && shop.sign == "Pets")
  }
}
