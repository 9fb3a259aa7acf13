package dev.headgate.internal.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

class LateStartLogTest {
    @Test
    @ResourceLock(Resources.SYSTEM_ERR)
    void whatIsSaidOnceIsSaidOnce() {
        PrintStream before = System.err;
        ByteArrayOutputStream logged = new ByteArrayOutputStream();
        System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
        try {
            LateStartLog log = new LateStartLog("heron");
            for (int time = 0; time < 3; time++) {
                log.tell(true);
                log.tell(false);
            }
        } finally {
            System.setErr(before);
        }
        assertThat(logged.toString(StandardCharsets.UTF_8)
                        .lines()
                        .filter(line -> line.contains("worker heron: reaches its handlers too late")))
                .singleElement()
                .asString()
                .contains("(said once)");
    }
}
