import ActorDI
import ActorDITesting
import Foundation
import GRDB
import Hummingbird
import HummingbirdTesting
import Testing

@testable import NotesApp

struct UnitOfWorkTests {
  @Test func anErrorRollsBack() async throws {
    let app = TestServer.container()
    await #expect(throws: HTTPError.self) {
      try await app.withScope("request") { scope in
        let users = try await scope.resolve(UserStore.self)
        _ = try await users.add(User(name: "Ada", token: "a"))
        // The request sees what it has written.
        #expect(try await scope.countUsers() == 1)
        throw HTTPError(.badRequest)
      }
    }
    try await TestServer.run(app) { server in _ = try await server.addUser("Ada") }
  }

  @Test func aFailedCommitIsAnErrorOfTheRequest() async throws {
    let app = TestServer.container()
    // Notes get an owner that does not exist. SQLite finds that at the commit, because the reference is deferred.
    try await app.resolve(DatabasePool.self).write { db in
      try db.execute(
        sql: "CREATE TRIGGER t AFTER INSERT ON note BEGIN UPDATE note SET ownerID = 17 WHERE id = new.id; END")
    }
    try await TestServer.run(app) { server in
      let ada = try await server.addUser("Ada")
      let response = try await server.send(.post, "/notes", #"{"title": "Tea", "text": ""}"#, as: ada)
      #expect(response.status == .internalServerError)
      // The writer is free again.
      _ = try await server.addUser("Bob")
    }
    let count = try await app.resolve(DatabasePool.self).read { db in try Note.fetchCount(db) }
    #expect(count == 0)
  }

  @Test func readsDoNotWaitForTheWriter() async throws {
    let app = TestServer.container()
    try await app.withScope("request") { writing in
      let users = try await writing.resolve(UserStore.self)
      _ = try await users.add(User(name: "Ada", token: "a"))
      // The transaction is open. Another request reads what has been committed.
      try await app.withScope("request") { (reading: Container) async throws in
        #expect(try await reading.countUsers() == 0)
      }
    }
    try await app.withScope("request") { (scope: Container) async throws in
      #expect(try await scope.countUsers() == 1)
    }
    try await app.shutdown()
  }

  @Test func tasksOfOneRequestShareItsTransaction() async throws {
    let app = TestServer.container()
    try await app.withScope("request") { scope in
      let users = try await scope.resolve(UserStore.self)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<20 {
          group.addTask { _ = try await users.add(User(name: "\(number)", token: "\(number)")) }
        }
        try await group.waitForAll()
      }
    }
    let count = try await app.resolve(DatabasePool.self).read { db in try User.fetchCount(db) }
    #expect(count == 20)
  }

  @Test func aTaskThatOutlivesItsRequestCannotWrite() async throws {
    let app = TestServer.container()
    // One has written within its scope, the other begins to write after it.
    for writes in [true, false] {
      let users = try await app.withScope("request") { scope in
        let users = try await scope.resolve(UserStore.self)
        if writes { _ = try await users.add(User(name: "Ada", token: "a")) }
        return users
      }
      await #expect(throws: (any Error).self) { _ = try await users.add(User(name: "Bob", token: "b")) }
    }
    let count = try await app.resolve(DatabasePool.self).read { db in try User.fetchCount(db) }
    #expect(count == 1)
  }

  @Test func concurrentRequestsEndTheirTransactionsOnce() async throws {
    let recorder = EventRecorder()
    let app = TestServer.container(observers: [recorder])
    try await TestServer.run(app) { server in
      let ada = try await server.addUser("Ada")
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<100 {
          group.addTask {
            if number.isMultiple(of: 2) {
              _ = try await server.addNote("\(number)", as: ada)
            } else {
              _ = try await server.titles(as: ada)
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await server.titles(as: ada).count == 50)
    }
    try await app.shutdown()
    // Readers begin no transaction.
    #expect(recorder.events.created(UnitOfWork.self).count == 102)
    #expect(recorder.events.created(WriteTransaction.self).count == 51)
    #expect(recorder.events.disposed(WriteTransaction.self).count == 51)
    #expect(recorder.events.disposed(DatabasePool.self).count == 1)
  }

  @Test func aRestartKeepsTheData() async throws {
    let config = TestServer.config()
    let first = TestServer.container(config)
    try await TestServer.run(first) { server in
      let ada = try await server.addUser("Ada")
      _ = try await server.addNote("Tea", as: ada)
    }
    try await first.shutdown()

    let second = TestServer.container(config)
    let users = try await second.resolve(DatabasePool.self).read { db in try User.fetchAll(db) }
    let ada = try #require(users.first)
    try await TestServer.run(second) { server in
      let titles = try await server.titles(as: ada)
      #expect(titles == ["Tea"])
    }
  }
}

extension Container {
  /// The number of users that a request sees.
  fileprivate func countUsers() async throws -> Int {
    try await resolve(UnitOfWork.self).read { db in try User.fetchCount(db) }
  }
}
