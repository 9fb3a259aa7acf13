package dev.headgate.proof.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Which guards are found in a statement, and what is left without each. */
class SqlScanTest {
    private static List<String> guards(String text) {
        return SqlScan.mutants("s", text).stream().map(SqlMutant::guard).toList();
    }

    @Test
    void theWordsOfAStatementDoNotChangeWithItsCommentsAndLines() {
        assertThat(SqlScan.words("select a -- why\n  from t\n-- then\nselect 'a  b'"))
                .isEqualTo(SqlScan.words("select a from t\n-- then\n-- more\nselect 'a  b'"))
                .isNotEqualTo(SqlScan.words("select a from t\n-- then\nselect 'a b'"))
                .isNotEqualTo(SqlScan.words("select a from t select 'a  b'"));
    }

    @Test
    void eachConditionOfAWriteIsTakenAwayAlone() {
        List<SqlMutant> mutants = SqlScan.mutants("s", """
                update t -- where none = 1
                set a = 'x and y'
                where id = :id and epoch = :epoch
                    and state = 'RUNNING and more'
                returning id
                """);
        assertThat(mutants)
                .extracting(SqlMutant::name)
                .containsExactly("s: where id = :id", "s: where epoch = :epoch", "s: where state = 'RUNNING and more'");
        assertThat(mutants.get(1).text()).contains("where id = :id and true\n    and state =");
        assertThat(mutants.get(2).text()).contains("epoch = :epoch\n    and true\nreturning id");
    }

    @Test
    void conditionsStandAtAnyDepthAndInJoins() {
        assertThat(guards("""
                        delete from t
                        where id in (select a.id from a join b on b.id = a.id and b.x = 1 where a.y = 2 order by a.z)
                            and k = 1
                        """))
                .containsExactly(
                        "where id in (select a.id from a join b on b.id = a.id and b.x = 1 where a.y = 2 order by a.z)",
                        "where k = 1",
                        "on b.id = a.id",
                        "on b.x = 1",
                        "where a.y = 2");
    }

    @Test
    void whatAnOrTiesTogetherAndTheInsideOfACaseIsOneGuard() {
        assertThat(guards("delete from t where a = 1 and b = 2 or c = 3"))
                .containsExactly("where a = 1 and b = 2 or c = 3");
        assertThat(guards("delete from t where a = 1 and (b = 2 or c = 3)"))
                .containsExactly("where a = 1", "where (b = 2 or c = 3)");
        assertThat(guards("delete from t where case when a = 1 and b = 2 then 1 else 0 end = 1 and c between 1 and 2"))
                .containsExactly("where case when a = 1 and b = 2 then 1 else 0 end = 1", "where c between 1 and 2");
    }

    @Test
    void aConflictHasAConditionAndItsTargetHasNone() {
        assertThat(guards("""
                        insert into t (id, k) select id, k from u where true
                        on conflict (k) where k is not null do update set id = excluded.id where excluded.id < t.id
                        """)).containsExactly("where excluded.id < t.id");
    }

    @Test
    void locksAreGuardsOfWhateverTakesThem() {
        assertThat(guards("select id from t where id = :id order by id for update"))
                .containsExactly("where id = :id", "for update");
        List<SqlMutant> skipping = SqlScan.mutants("s", "select id from t limit 1 for no key update of t skip locked");
        assertThat(skipping)
                .extracting(SqlMutant::guard)
                .containsExactly("skip locked", "for no key update of t skip locked");
        assertThat(skipping.getFirst().text().strip()).isEqualTo("select id from t limit 1 for no key update of t");
        assertThat(skipping.getLast().text().strip()).isEqualTo("select id from t limit 1");
    }

    @Test
    void whatOnlyReadsHasNoGuard() {
        assertThat(guards("select id from t where id = :id and k = 1 order by id"))
                .isEmpty();
        assertThat(guards("""
                        select id from t where id = :id
                        -- then
                        delete from t where id = :id
                        -- then
                        delete from u where id = :id
                        """)).containsExactly("where id = :id", "where id = :id #2");
    }
}
