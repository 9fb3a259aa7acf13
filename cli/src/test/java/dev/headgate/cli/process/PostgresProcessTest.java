package dev.headgate.cli.process;

class PostgresProcessTest implements ProcessContract, ServeProcessContract {
    @Override
    public String freshStore() {
        return TestServer.freshDatabase();
    }
}
