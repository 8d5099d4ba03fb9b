import ActorDITestSupport
import Testing

@testable import ActorDI

/// The second half of the article on Swinject.
@Suite("Coming from Swinject: containers and relationships")
struct ComingFromSwinjectAssembling {
  typealias Animal = ComingFromSwinject.Animal
  typealias Cat = ComingFromSwinject.Cat
  typealias Dog = ComingFromSwinject.Dog
  typealias Person = ComingFromSwinject.Person
  typealias PetOwner = ComingFromSwinject.PetOwner

  @Test func hierarchy() async throws {
    // snippet: swinject hierarchy
    let parent = Container {
      Registration(autowired: (any Animal).self, scope: .singleton) { Cat(name: "Mimi") }
      Registration(PetOwner.self, scope: .singleton) { r in PetOwner(pet: try r.resolve()) }
    }
    let child = parent.makeChild {
      Registration(autowired: (any Animal).self) { Dog(name: "Hachi") }
    }
    let owner = try await child.resolve(PetOwner.self)
    // end
    #expect(owner.pet is Cat)
    #expect(try await parent.resolve(PetOwner.self) === owner)
    #expect(try await child.resolve((any Animal).self) is Dog)
    #expect(try await parent.resolve((any Animal).self) is Cat)
  }

  // snippet: swinject several protocols
  protocol Carnivore: Sendable {}
  protocol Domesticated: Sendable {}
  final class Hound: Animal, Carnivore, Domesticated {
    let name: String
    init(name: String) { self.name = name }
  }
  // end

  @Test func typeForwarding() async throws {
    // snippet: swinject forwarding
    let container = Container {
      Registration(autowired: Hound.self, scope: .singleton) { Hound(name: "Rex") }
        .implements((any Carnivore).self) { $0 }
        .implements((any Domesticated).self) { $0 }
        .implements((any Animal).self, key: "dog") { $0 }
    }
    let carnivore = try await container.resolve((any Carnivore).self)
    // end
    let hound = try await container.resolve(Hound.self)
    #expect(carnivore as? Hound === hound)
    #expect(try await container.resolve((any Domesticated).self) as? Hound === hound)
    #expect(try await container.resolve((any Animal).self, key: "dog") as? Hound === hound)
  }

  @Test func delayedInjection() async throws {
    let numbers = Counter()
    // snippet: swinject lazy and provider
    let container = Container {
      Registration(autowired: Int.self) { numbers.increment() }
    }
    let lazy = try await container.resolve(Lazy<Int>.self)
    let provider = try await container.resolve(Provider<Int>.self)
    let missing = try await container.resolve((any Animal)?.self)
    let twice = try await lazy() + lazy()
    let anew = try await provider() + provider()
    // end
    #expect(missing == nil)
    #expect(twice == 2)
    #expect(anew == 2 + 3)
  }

  @Test func delayedInjectionByNameAndArgument() async throws {
    // snippet: swinject lazy by name
    let container = Container {
      Registration((any Animal).self) { (_, name: String) in Cat(name: name) }.key("cat")
    }
    let lazy = try await container.resolve(Lazy<any Animal>.self, key: "cat", arguments: "Mimi")
    let provider = try await container.resolve(Provider<any Animal>.self, key: "cat")
    let tama = try await provider("Tama")
    // end
    #expect(try await lazy().name == "Mimi")
    #expect(tama.name == "Tama")
    #expect(try await container.resolve((any Animal)?.self, key: "cat", arguments: "Kuro")?.name == "Kuro")
    #expect(try await container.resolve((any Animal)?.self, key: "dog", arguments: "Kuro") == nil)
  }

  // snippet: swinject assemblies
  struct AnimalModule: Module {
    var registrations: Registrations {
      Registration(autowired: (any Animal).self) { Cat(name: "Mimi") }
    }
  }
  struct PersonModule: Module {
    let greeted: Journal<String>

    var registrations: Registrations {
      Registration((any Person).self) { r in PetOwner(pet: try r.resolve()) }
    }
    func didLoad(_ container: Container) async throws {
      greeted.note(try await container.resolve((any Person).self).pet.name)
    }
  }
  // end

  @Test func assemblies() async throws {
    let greeted = Journal<String>()
    // snippet: swinject assembler
    let container = Container {
      PersonModule(greeted: greeted)
      AnimalModule()
    }
    try await container.waitUntilLoaded()
    // end
    #expect(greeted.entries == ["Mimi"])
    let later = Container()
    // snippet: swinject apply assembly
    try await later.register {
      PersonModule(greeted: greeted)
      AnimalModule()
    }
    // end
    #expect(greeted.entries == ["Mimi", "Mimi"])
  }

  // snippet: swinject behavior
  struct EventLog: ContainerObserver {
    let log: Journal<String>

    func container(_ container: Container, didRegister registration: RegistrationInfo) {
      log.note("\(registration.service) in \(container.name)")
    }
  }
  // end

  @Test func behaviors() async throws {
    let log = Journal<String>()
    // snippet: swinject add behavior
    let container = Container(configuration: .init(observer: EventLog(log: log))) {
      Registration(autowired: Cat.self) { Cat(name: "Mimi") }.implements((any Animal).self) { $0 }
    }
    // end
    #expect(log.entries == ["Cat in unnamed", "Animal in unnamed"])
    withExtendedLifetime(container) {}
  }

  @Test func hasAnyRegistration() {
    let container = Container(parent: Container { Cat(name: "Mimi") }) {
      Registration((any Animal).self) { (_, name: String) in Cat(name: name) }.key("cat")
    }
    // snippet: swinject contains
    let hasCat = container.contains((any Animal).self, key: "cat")
    // end
    #expect(hasCat)
    #expect(container.contains(Cat.self))
    #expect(!container.contains((any Animal).self))
  }

  @Test func threads() async throws {
    // snippet: swinject threads
    let container = Container {
      Registration(autowired: PetOwner.self, scope: .singleton) { PetOwner(pet: Cat(name: "Mimi")) }
    }
    async let one = container.resolve(PetOwner.self)
    async let two = container.resolve(PetOwner.self)
    // end
    #expect(try await one === two)
  }

  // MARK: Autoregistration

  @Test func autoregistering() async throws {
    // snippet: swinject autoregister
    let container = Container {
      Registration(autowired: (any Animal).self) { Cat(name: "Mimi") }
      Registration(autowired: (any Person).self, initializer: PetOwner.init)
      Registration(autowired: (any Person).self, initializer: PetOwner.init).key("johnny")
    }
    try await container.autoregister(PetOwner.self, key: "later", initializer: PetOwner.init)
    // end
    #expect(try await container.resolve((any Person).self).pet.name == "Mimi")
    #expect(try await container.resolve((any Person).self, key: "johnny").pet.name == "Mimi")
    #expect(try await container.resolve(PetOwner.self, key: "later").pet.name == "Mimi")
  }

  // snippet: swinject dynamic arguments
  struct Kennel: Sendable {
    let name: String
    let places: Int
    let animal: any Animal
  }
  // end

  @Test func autoregisteringWithArguments() async throws {
    // snippet: swinject autoregister arguments
    let container = Container {
      Registration(autowired: (any Animal).self) { Dog(name: "Hachi") }
      Registration(autowired: Kennel.self, arguments: Int.self, String.self, initializer: Kennel.init)
    }
    let kennel = try await container.resolve(Kennel.self, arguments: 3, "Sunny")
    // end
    #expect(kennel.name == "Sunny" && kennel.places == 3 && kennel.animal is Dog)
    struct Couple: Sendable {
      let left: String
      let right: String
    }
    let error = try await asyncResolutionError {
      // snippet: swinject ambiguous arguments
      try await container.autoregister(Couple.self, arguments: String.self, initializer: Couple.init)
      // end
    }
    #expect(error.code == .ambiguousArguments)
    #expect(!container.contains(Couple.self))
  }

  @Test func autoregisteredNames() async throws {
    // snippet: swinject named dependency
    let container = Container {
      Registration(autowired: (any Animal).self) { Cat(name: "Mimi") }.key("mimi")
      Registration((any Person).self) { r in PetOwner(pet: try r.resolve(key: "mimi")) }
      Registration(autowired: (any Person).self, initializer: PetOwner.init).key("mimi").inheritKey()
    }
    // end
    #expect(try await container.resolve((any Person).self).pet.name == "Mimi")
    #expect(try await container.resolve((any Person).self, key: "mimi").pet.name == "Mimi")
  }

  @Test func operators() async throws {
    // snippet: swinject operators
    let container = Container {
      Registration(autowired: (any Animal).self) { Cat(name: "Mimi") }
      Registration(autowired: Dog.self) { Dog(name: "Hachi") }.key("hachi")
      Registration(Dog.self) { (_, name: String) in Dog(name: name) }
      Registration(Dog.self) { (_, name: String, age: Int) in Dog(name: "\(name), \(age)") }

      Registration(PetOwner.self) { r in PetOwner(pet: try r~>) }.key(1)
      Registration(PetOwner.self) { r in PetOwner(pet: try r ~> (Dog.self, key: "hachi")) }.key(2)
      Registration(PetOwner.self) { r in PetOwner(pet: try r ~> (Dog.self, argument: "Rex")) }.key(3)
      Registration(PetOwner.self) { r in PetOwner(pet: try r ~> (Dog.self, arguments: ("Rex", 4))) }
        .key(4)
    }
    let owners = try await container ~> [PetOwner].self
    // end
    #expect(owners.map(\.pet.name) == ["Mimi", "Hachi", "Rex", "Rex, 4"])
  }
}
