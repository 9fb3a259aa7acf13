import dev.headgate.postgres.PostgresProvider;
import dev.headgate.spi.StoreProvider;

/** Jobs in PostgreSQL. {@code Headgate.open("jdbc:postgresql:…")} finds it. */
@SuppressWarnings("requires-automatic") // the driver has no descriptor; its automatic name stands in its manifest
module dev.headgate.postgres {
    requires com.zaxxer.hikari;
    requires transitive dev.headgate.jdbc;
    requires static org.jspecify;
    requires org.postgresql.jdbc;
    requires org.slf4j;

    exports dev.headgate.store.postgres;

    provides StoreProvider with
            PostgresProvider;
}
