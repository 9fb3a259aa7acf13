/** For tests of users: a Headgate in memory and virtual time, whose workers are stepped by hand. */
module dev.headgate.testkit {
    requires transitive dev.headgate;
    requires static transitive org.junit.jupiter.api;
    requires static org.jspecify;

    exports dev.headgate.testkit;
    exports dev.headgate.testkit.junit;
}
