/// The result of the first, pinned steps of a resolve.
///
/// The thread stays pinned until a function that hands the instance or the binding out, or one that makes the instance, ends the pin. No
/// user code runs in between, but for the `==` of a key.
///
/// The functions that a hit needs are emitted into the client, and inlined there.
@usableFromInline @frozen @safe
struct Lookup {
  @usableFromInline let record: ThreadRecordPointer
  @usableFromInline let binding: FoundBinding
  /// The word of the holder of the instance.
  @usableFromInline let holderWord: HolderWord
  /// The link array by which the binding's container was found; none for the container itself and its parents.
  @usableFromInline let links: LinksWord

  /// Creates the lookup of a found binding, or of a mark.
  @_alwaysEmitIntoClient @inline(__always)
  init(record: ThreadRecordPointer, binding: FoundBinding) {
    let holderWord = binding.isBinding ? Binding.at(binding).borrow { $0.word } : .free
    self.init(record: record, binding: binding, holderWord: holderWord)
  }

  @_alwaysEmitIntoClient @inline(__always)
  init(
    record: ThreadRecordPointer, binding: FoundBinding, holderWord: HolderWord, links: LinksWord = .none
  ) {
    self.record = record
    self.binding = binding
    self.holderWord = holderWord
    self.links = links
  }

  /// Whether there is a kept instance.
  @_alwaysEmitIntoClient @inline(__always)
  var isKept: Bool { holderWord.isInstance }

  /// Whether a synchronous resolve is a single call of the factory.
  @_alwaysEmitIntoClient @inline(__always)
  var isPlainTransient: Bool {
    guard binding.isBinding else { return false }
    return Binding.at(binding).borrow { $0.isPlainTransient }
  }

  /// Whether a resolve must search further. False if the lookup has found a kept instance or a plain transient, unless an asynchronous
  /// factory's frame must note the request.
  @_alwaysEmitIntoClient @inline(__always)
  func isToSearch(for frame: ResolutionFrame?) -> Bool { frame != nil || (!isKept && !isPlainTransient) }

  /// Copies the kept instance, and ends the pin. There must be an instance.
  @_alwaysEmitIntoClient @inline(__always)
  func hit<Service>(_ type: Service.Type) -> sending Service {
    // A kept instance is Sendable: see ``Instance``.
    let value = holderWord.box.borrow { unsafe $0.memory(of: type).pointee }
    record.unpin()
    return value
  }

  /// Retains the kept instance, if there is one, and ends the pin.
  func takeKept() -> Instance? {
    defer { record.unpin() }
    return isKept ? Instance(holderWord.box.object) : nil
  }

  /// Writes a copy of the kept instance to memory, whatever its type, and ends the pin. There must be an instance.
  func takeCopy(to memory: ServiceMemory) {
    holderWord.box.borrow { $0.write(to: memory) }
    record.unpin()
  }

  /// Ends the pin, after retaining the binding and its container. Nil if the search has found none.
  func takeLocated() -> Located? {
    defer { record.unpin() }
    guard binding.isBinding else { return nil }
    return Binding.at(binding).borrow { $0.located }
  }
}

extension Binding {
  /// Whether a binding has this value as its key. Compares the value without erasing its type.
  @_alwaysEmitIntoClient @inline(__always)
  static func hasKey<Value: Hashable & Sendable>(_ binding: FoundBinding, _ value: Value) -> Bool {
    Binding.at(binding).borrow { binding in
      if let string = Key.string(value) { return binding.textKey?.string == string }
      guard let key = binding.key, type(of: key) == TypedKey<Value>.self else { return false }
      return unsafe unsafeDowncast(key, to: TypedKey<Value>.self).typedValue == value
    }
  }

  /// Whether a binding has the key of a token made of an ASCII literal. Its registration usually has the same literal.
  @_alwaysEmitIntoClient @inline(__always)
  static func hasKey(_ binding: FoundBinding, _ literal: StaticString) -> Bool {
    Binding.at(binding).borrow { binding in
      unsafe binding.textKey?.literal == UInt(bitPattern: literal.utf8Start) || binding.hasText(literal)
    }
  }

  @_alwaysEmitIntoClient @inline(__always)
  var textKey: TextKey? {
    guard let key, unsafe hasTextKey else { return nil }
    return unsafe unsafeDowncast(key, to: TextKey.self)
  }

  /// Whether the key is a text that equals a literal, wherever the two are. Not inlined into the search, which rarely needs it.
  @usableFromInline @inline(never)
  func hasText(_ literal: StaticString) -> Bool { textKey?.equals(literal) == true }
}
