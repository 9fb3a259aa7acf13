/** Job types for use without Java: {@code http} and {@code shell}. */
module dev.headgate.builtin {
    requires transitive dev.headgate;
    requires java.net.http;
    requires static org.jspecify;
    requires org.slf4j;

    exports dev.headgate.builtin;
}
