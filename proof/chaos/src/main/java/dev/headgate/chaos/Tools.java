package dev.headgate.chaos;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What this machine has for hurting programs. Nothing here needs root, but for containers. */
final class Tools {
    static final String NO_CLOCK_LIBRARY =
            "libfaketime is not installed (Debian: apt-get install libfaketime), or name its file in LIBFAKETIME";

    private static final List<String> CLOCK_LIBRARIES = List.of(
            "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1",
            "/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1",
            "/usr/lib64/faketime/libfaketime.so.1",
            "/usr/lib/faketime/libfaketime.so.1",
            "/usr/local/lib/faketime/libfaketime.so.1");

    /** Makes a program process 1 on a host named replica, and ends with it. */
    static final List<String> CONTAINER = List.of(
            "unshare",
            "--pid",
            "--fork",
            "--kill-child",
            "--mount-proc",
            "--uts",
            "--ipc",
            "sh",
            "-c",
            "echo replica >/proc/sys/kernel/hostname && exec \"$@\"",
            "sh");

    private Tools() {}

    /** The library that makes a process see another time, if there is one. */
    static @Nullable String clockLibrary() {
        return Stream.concat(Stream.ofNullable(System.getenv("LIBFAKETIME")), CLOCK_LIBRARIES.stream())
                .filter(file -> Files.isReadable(Path.of(file)))
                .findFirst()
                .orElse(null);
    }

    /** The wall clock is so many seconds off; the monotonic one is right, as on any machine whose time was set. */
    static Map<String, String> clock(String library, int seconds) {
        return Map.of(
                "LD_PRELOAD",
                library,
                "FAKETIME",
                "%+d".formatted(seconds),
                "FAKETIME_FORCE_MONOTONIC_FIX",
                "0", // or a JVM spins in every wait
                "DONT_FAKE_MONOTONIC",
                "1");
    }

    /** Why system calls cannot be made to fail here; absent if they can. */
    static @Nullable String whyNoTrace() {
        Shell.Answer tried = Shell.run("strace", "-f", "-e", "trace=fsync", "-e", "inject=fsync:error=EIO", "true");
        return tried.isGood() ? null : "strace is not installed or not permitted: " + firstLine(tried.said());
    }

    /** Why no small file system can be had here; absent if it can. */
    static @Nullable String whyNoSmallDisk(Path folder) {
        Shell.Answer tried = Shell.run(
                "unshare", "-Urm", "sh", "-c", "mount -t tmpfs -o size=64k tmpfs \"$1\"", "sh", folder.toString());
        return tried.isGood() ? null : "no mount in a user namespace: " + firstLine(tried.said());
    }

    /** Why no process can be put into a container here; absent if it can. */
    static @Nullable String whyNoContainer() {
        Shell.Answer tried =
                Shell.run(Stream.concat(CONTAINER.stream(), Stream.of("true")).toArray(String[]::new));
        return tried.isGood() ? null : "no namespaces of processes, which take root: " + firstLine(tried.said());
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("it said nothing");
    }
}
