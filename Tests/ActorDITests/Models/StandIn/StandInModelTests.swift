import Testing

@Suite("Model of the stand-ins")
struct StandInModelTests {
  @Test(
    "N1: none stands for what is not found any more",
    arguments: [
      [StandInModel.Thread.adder, .changer], [.adder, .linker], [.adder, .adder, .changer],
      [.adder, .changer, .bystander], [.adder, .linker, .changer],
    ])
  func holds(_ threads: [StandInModel.Thread]) {
    let exploration = Exploration(of: StandInModel(threads))
    #expect(exploration.complaint == nil, "\(exploration.story.joined(separator: "\n"))")
  }

  @Test(
    "what is taken away is missed",
    arguments: [
      (StandInModel.Weakening.noteBeforeLook, [StandInModel.Thread.adder, .changer]),
      (.markBeforeLook, [.adder, .changer]),
      (.order, [.adder, .changer]),
      (.fence, [.adder, .linker]),
      (.look, [.adder, .changer]),
      (.lock, [.adder, .changer]),
      (.dropperCount, [.adder, .changer, .bystander]),
    ])
  func misses(_ weakening: StandInModel.Weakening, _ threads: [StandInModel.Thread]) {
    let exploration = Exploration(of: StandInModel(threads, without: weakening))
    #expect(exploration.complaint == "finds the stand-in, though it has returned")
    #expect(exploration.story.count > 5)
  }
}
