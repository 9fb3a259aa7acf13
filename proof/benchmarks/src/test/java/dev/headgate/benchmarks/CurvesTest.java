package dev.headgate.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CurvesTest {
    private static Curves curves() {
        Curves curves = new Curves("history", "jobs ended", "us for a claim of 50");
        curves.add("sqlite", 0, 4_000);
        curves.add("sqlite", 10_000, 4_100.5);
        curves.add("postgres", 10_000, 5_000);
        return curves;
    }

    @Test
    void valuesAreForPrograms() {
        assertThat(curves().csv()).isEqualTo("""
                curve,jobs ended,us for a claim of 50
                sqlite,0,4000.000
                sqlite,10000,4100.500
                postgres,10000,5000.000
                """);
    }

    @Test
    void aPictureHasAPointForEachAndALineBetween() {
        String picture = curves().svg();
        assertThat(picture.split("<circle", -1)).hasSize(4);
        assertThat(picture).contains("stroke-width=\"2\"", ">sqlite</text>", ">postgres</text>", ">10k</text>");
        assertThat(picture).doesNotContain("NaN", "Infinity");
    }
}
