package dev.headgate.jdbc;

import java.sql.SQLException;

/** A statement file failed. The backend decides whether to retry, to refuse or to call the store unavailable. */
public final class SqlFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final SQLException sql;

    public SqlFailedException(String statement, SQLException cause) {
        super("%s: %s".formatted(statement, cause.getMessage()), cause);
        this.sql = cause;
    }

    public SQLException sql() {
        return sql;
    }
}
