package dev.headgate.server;

class PostgresRunsTest extends RunsContract {
    @Override
    String freshStore() {
        return TestDatabase.fresh();
    }
}
