/// What a type is, as its metadata says: the place and the values of that are part of the language's binary interface.
enum TypeKind {
  case structure, enumeration, optional, tuple, function, metatype, `class`, existential, constrainedExistential
  /// What the library has no need to know.
  case other

  init(of type: any Any.Type) {
    let metadata = unsafe UnsafeRawPointer(bitPattern: UInt(bitPattern: ObjectIdentifier(type))).unsafelyUnwrapped
    self =
      switch unsafe metadata.load(as: UInt.self) {
      case 0x200: .structure
      case 0x201: .enumeration
      case 0x202: .optional
      case 0x301: .tuple
      case 0x302: .function
      case 0x303: .existential
      case 0x304, 0x306: .metatype
      case 0x307: .constrainedExistential
      // A class has a pointer there where there is Objective-C, and 0 elsewhere.
      case 0, 0x800...: .class
      default: .other
      }
  }
}
