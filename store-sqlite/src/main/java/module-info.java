import dev.headgate.spi.StoreProvider;
import dev.headgate.sqlite.SqliteProvider;

/** Jobs in a SQLite file. Exports nothing: {@code Headgate.open("jdbc:sqlite:…")} finds it. */
module dev.headgate.sqlite {
    requires transitive dev.headgate.jdbc;
    requires static org.jspecify;
    requires org.slf4j;
    requires org.xerial.sqlitejdbc;

    provides StoreProvider with
            SqliteProvider;
}
