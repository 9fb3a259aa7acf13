package dev.headgate.proof.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.proof.Rig;
import dev.headgate.proof.StoreFixture;
import dev.headgate.spi.TokenRow;
import dev.headgate.spi.TokenTable;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Access tokens are stored by their hash, once each, and go some time after they expired. */
public interface TokenContract extends StoreFixture {
    private static TokenRow token(String id, String hash, long createdAt, @Nullable Long expiresAt) {
        return new TokenRow(id, "name of " + id, hash, "read\nenqueue", "mail\nsite:*", "", createdAt, expiresAt, null);
    }

    private static <T extends @Nullable Object> T write(Rig rig, Function<TokenTable, T> act) {
        return rig.store().backend().write(tx -> act.apply(tx.tokens()));
    }

    private static long now(Rig rig) {
        return rig.store().backend().write(tx -> tx.now());
    }

    @Test
    default void aTokenIsFoundByItsHashOnly(Rig rig) {
        TokenRow row = token("t2", "beef", 7, 9L);
        assertThat(TokenContract.<Boolean>write(rig, tokens -> tokens.insert(row)))
                .isTrue();
        assertThat(TokenContract.<@Nullable TokenRow>write(rig, tokens -> tokens.find("beef")))
                .isEqualTo(row);
        assertThat(TokenContract.<@Nullable TokenRow>write(rig, tokens -> tokens.find("t2")))
                .isNull();
        assertThat(TokenContract.<@Nullable TokenRow>write(rig, tokens -> tokens.find("")))
                .isNull();
    }

    @Test
    default void anIdOrAHashThatIsTakenIsRefused(Rig rig) {
        TokenRow row = token("t1", "beef", 7, null);
        write(rig, tokens -> tokens.insert(row));
        assertThat(TokenContract.<Boolean>write(rig, tokens -> tokens.insert(token("t1", "cafe", 8, null))))
                .isFalse();
        assertThat(TokenContract.<Boolean>write(rig, tokens -> tokens.insert(token("t2", "beef", 8, null))))
                .isFalse();
        assertThat(write(rig, TokenTable::all)).containsExactly(row);
    }

    @Test
    default void tokensAreListedByAge(Rig rig) {
        write(rig, tokens -> tokens.insert(token("b", "1", 8, null)));
        write(rig, tokens -> tokens.insert(token("c", "2", 7, null)));
        write(rig, tokens -> tokens.insert(token("a", "3", 8, null)));
        assertThat(write(rig, TokenTable::all)).extracting(TokenRow::id).containsExactly("c", "a", "b");
    }

    @Test
    default void aUseIsNotedAndNeverGoesBack(Rig rig) {
        write(rig, tokens -> tokens.insert(token("a", "1", 8, null)));
        write(rig, tokens -> tokens.insert(token("b", "2", 8, null)));
        for (long at : new long[] {20, 30, 25}) {
            rig.store().backend().write(tx -> {
                tx.tokens().use("a", at);
                return at;
            });
        }
        assertThat(write(rig, TokenTable::all)).extracting(TokenRow::usedAt).containsExactly(30L, null);
    }

    @Test
    default void aTokenThatIsDeletedIsGone(Rig rig) {
        write(rig, tokens -> tokens.insert(token("a", "1", 8, null)));
        write(rig, tokens -> tokens.insert(token("b", "2", 8, null)));
        assertThat(TokenContract.<Boolean>write(rig, tokens -> tokens.delete("a")))
                .isTrue();
        assertThat(TokenContract.<Boolean>write(rig, tokens -> tokens.delete("a")))
                .isFalse();
        assertThat(write(rig, TokenTable::all)).extracting(TokenRow::id).containsExactly("b");
    }

    @Test
    default void aTokenGoesNinetyDaysAfterItExpired(Rig rig) {
        long hour = 3_600_000_000L;
        long now = now(rig);
        write(rig, tokens -> tokens.insert(token("short", "1", now, now + hour)));
        write(rig, tokens -> tokens.insert(token("long", "2", now, now + 3 * hour)));
        write(rig, tokens -> tokens.insert(token("for ever", "3", now, null)));
        rig.advance(Duration.ofDays(90).plusHours(2));
        assertThat(rig.store().pruneRecords()).isEqualTo(1);
        assertThat(write(rig, TokenTable::all)).extracting(TokenRow::id).containsExactlyInAnyOrder("long", "for ever");
    }
}
