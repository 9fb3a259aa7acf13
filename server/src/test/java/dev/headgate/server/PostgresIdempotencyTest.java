package dev.headgate.server;

class PostgresIdempotencyTest extends IdempotencyContract {
    @Override
    String freshStore() {
        return TestDatabase.fresh();
    }
}
