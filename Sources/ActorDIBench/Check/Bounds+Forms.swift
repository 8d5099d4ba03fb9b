// The bounds for the forms in which ordinary programs use the container.
extension Bounds {
  /// P24 and P25.
  static let forms =
    sharedCounts + speedUps + wrapped + relationshipTypes + [values] + collections + graphServices + others

  // MARK: - P24: many threads

  private static let sharedCounts = Form.Kind.allCases.map { kind in
    Bound(
      row: "P24", what: "\(kind.rawValue), reference counts that threads share",
      points: Form.all(of: kind).map { form in
        Bound.Point(form.name, .value(.init(scenario: SharedCounts.name, contender: form.name)))
      }, limit: .atMost(0), yardstick: "counts")
  }

  private static let speedUps = Form.Kind.allCases.map { kind in
    Bound(
      row: "P24", what: "\(kind.rawValue), throughput at all cores",
      points: Form.all(of: kind).map { form in
        Bound.Point(form.name, speedUp(form.name), freeCores: speedUp(ContenderName.arithmetic))
      }, limit: .atLeast(0.6), yardstick: "× n × one", minimumCores: 2)
  }

  private static func speedUp(_ contender: String) -> Bound.Figure {
    .scaling(
      .init(scenario: FormTimes.name, contender: contender, lane: FormTimes.everyCore),
      over: .init(scenario: FormTimes.name, contender: contender))
  }

  // MARK: - P25: one thread, as multiples of T, the container's own transient without dependencies

  private static let wrapped = [
    ofTransient(
      "transient with an argument, with a hook, by alias, decorated", 2.5, [.argument, .hook, .alias, .decorated]),
    ofTransient("provider call", 1.5, [.providerCall]),
  ]

  /// What a parameter of a relationship type takes beyond a required parameter of the same service.
  private static let relationshipTypes = [
    beyondRequired("optional parameter", 2, [.optionalParameter, .absentParameter]),
    beyondRequired("Provider parameter", 4, [.providerParameter]),
    beyondRequired("Lazy parameter", 6, [.lazyParameter]),
  ]

  /// Each large value in place of each small one.
  private static let values = Bound(
    row: "P25", what: "value of many words in place of one of few",
    points: ValueSizes.Way.allCases.flatMap { way in
      ValueSizes.Call.allCases.flatMap { call in
        ValueSizes.largeSizes.flatMap { large in
          ValueSizes.smallSizes.map { small in
            Bound.Point(
              "\(way.rawValue), \(call.rawValue), \(large) ÷ \(small)",
              .ratio(value(way, call, words: large), to: value(way, call, words: small)))
          }
        }
      }
    }, limit: .atMost(2), yardstick: "× the smaller one")

  private static let collections = Collections.counts.map { count in
    Bound(
      row: "P25", what: "\(count) transients, as an array and as a dictionary by key",
      points: [Collections.array(count), Collections.dictionary(count)].map { collection in
        Bound.Point(
          collection,
          .ratio(
            .init(scenario: Collections.name, contender: collection),
            to: .init(scenario: Collections.name, contender: Collections.one)))
      }, limit: .atMost(Double(2 + 2 * count)), yardstick: "× T")
  }

  /// Five for each service of the call.
  private static let graphServices = [
    ofTransient("1 service in .graph scope", 5, [.graphAlone]),
    ofTransient(
      "\(FormWorld.Sharing.services) services, of which two share one in .graph scope",
      5 * Double(FormWorld.Sharing.services), [.graphShared]),
  ]

  private static let others = [
    ratio(
      "P25", "transient made asynchronously, suspends once", FormTimes.name, Form.asyncFactory.name,
      to: FormTimes.suspending, 2, "× by hand"),
    Bound(
      row: "P25", what: "missing service's error, thrown and caught",
      points: MissingErrors.counts.map { count in
        Bound.Point(
          "next to \(Format.count(count, "registration"))",
          .value(.init(scenario: MissingErrors.name, contender: ContenderName.container, lane: count)))
      }, limit: .atMost(2_000), yardstick: "ns"),
    Bound(
      row: "P25", what: "withOverrides and one resolve", figure: .value(overrides(tasks: 1)), limit: .atMost(3_000),
      yardstick: "ns"),
    Bound(
      row: "P25", what: "withOverrides and one resolve, \(OverridesTogether.tasks) tasks together",
      figure: .ratio(overrides(tasks: OverridesTogether.tasks), to: overrides(tasks: 1)), limit: .atMost(1),
      yardstick: "× its own of 1 task"),
  ]

  // MARK: - Rows and subjects

  private static func ofTransient(_ what: String, _ limit: Double, _ forms: [Form]) -> Bound {
    Bound(
      row: "P25", what: what,
      points: forms.map { Bound.Point($0.name, .ratio(formTime($0.name), to: formTime(Form.transient.name))) },
      limit: .atMost(limit), yardstick: "× T")
  }

  private static func beyondRequired(_ what: String, _ limit: Double, _ forms: [Form]) -> Bound {
    Bound(
      row: "P25", what: "\(what), beyond a required one",
      points: forms.map { form in
        Bound.Point(
          form.name,
          .multipleBeyond(
            formTime(form.name), over: formTime(Form.requiredParameter.name), of: formTime(Form.transient.name)))
      }, limit: .atMost(limit), yardstick: "× T")
  }

  private static func formTime(_ contender: String) -> Bound.Subject {
    .init(scenario: FormTimes.name, contender: contender)
  }

  private static func value(_ way: ValueSizes.Way, _ call: ValueSizes.Call, words: Int) -> Bound.Subject {
    .init(scenario: ValueSizes.name, contender: ValueSizes.contender(way, call, words: words))
  }

  private static func overrides(tasks: Int) -> Bound.Subject {
    .init(scenario: OverridesTogether.name, contender: ContenderName.container, lane: tasks)
  }
}
