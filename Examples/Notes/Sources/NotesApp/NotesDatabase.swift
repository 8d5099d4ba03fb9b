import Foundation
import GRDB

/// Opens the database, and brings its tables up to date.
func openDatabase(_ settings: Settings) throws -> DatabasePool {
  let file = URL(filePath: settings.databasePath)
  try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
  var configuration = Configuration()
  configuration.busyMode = .timeout(5)
  // A unit of work keeps its transaction open from one access to the next.
  configuration.allowsUnsafeTransactions = true
  let pool = try DatabasePool(path: settings.databasePath, configuration: configuration)
  try migrator.migrate(pool)
  return pool
}

private var migrator: DatabaseMigrator {
  var migrator = DatabaseMigrator()
  migrator.registerMigration("users and notes") { db in
    try db.create(table: "user") { table in
      table.autoIncrementedPrimaryKey("id")
      table.column("name", .text).notNull().unique()
      table.column("token", .text).notNull().unique()
    }
    try db.create(table: "note") { table in
      table.autoIncrementedPrimaryKey("id")
      table.column("ownerID", .integer).notNull().indexed()
        .references("user", onDelete: .cascade, deferred: true)
      table.column("title", .text).notNull()
      table.column("text", .text).notNull()
      table.column("changed", .datetime).notNull()
      table.column("trashed", .datetime).indexed()
    }
  }
  migrator.registerMigration("search") { db in
    // Triggers of the table `note` keep the index up to date.
    try db.create(virtualTable: "noteSearch", using: FTS5()) { table in
      table.synchronize(withTable: "note")
      table.tokenizer = .unicode61()
      table.column("title")
      table.column("text")
    }
  }
  return migrator
}
