package dev.headgate.proof.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.proof.Rig;
import dev.headgate.proof.StoreFixture;
import dev.headgate.spi.PermitRow;
import dev.headgate.spi.PermitTable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Permits that programs elsewhere asked for: one for each request, found by it and by their numbers, gone after their end. */
public interface RequestedPermitContract extends StoreFixture {
    private static PermitRow permit(long id, String request, long endsAt) {
        return new PermitRow(id, request, endsAt, "{\"cost\":1}");
    }

    private static <T extends @Nullable Object> T write(Rig rig, Function<PermitTable, T> act) {
        return rig.store().backend().write(tx -> act.apply(tx.permits()));
    }

    private static @Nullable PermitRow found(Rig rig, long id) {
        return RequestedPermitContract.<@Nullable PermitRow>write(rig, permits -> permits.find(id));
    }

    private static @Nullable PermitRow requested(Rig rig, String request) {
        return RequestedPermitContract.<@Nullable PermitRow>write(rig, permits -> permits.findRequested(request));
    }

    @Test
    default void aPermitIsFoundByItsRequestAndByItsNumber(Rig rig) {
        PermitRow row = permit(Long.MIN_VALUE / 2, "t1 a", 9);
        assertThat(RequestedPermitContract.<Boolean>write(rig, permits -> permits.insert(row)))
                .isTrue();
        assertThat(found(rig, row.id())).isEqualTo(row);
        assertThat(requested(rig, "t1 a")).isEqualTo(row);
        assertThat(found(rig, -7)).isNull();
        assertThat(requested(rig, "t1 b")).isNull();
    }

    @Test
    default void aRequestOrANumberThatIsTakenIsRefused(Rig rig) {
        PermitRow row = permit(-7, "t1 a", 9);
        write(rig, permits -> permits.insert(row));
        assertThat(RequestedPermitContract.<Boolean>write(rig, permits -> permits.insert(permit(-8, "t1 a", 10))))
                .isFalse();
        assertThat(RequestedPermitContract.<Boolean>write(rig, permits -> permits.insert(permit(-7, "t1 b", 10))))
                .isFalse();
        assertThat(found(rig, -7)).isEqualTo(row);
        assertThat(found(rig, -8)).isNull();
    }

    @Test
    default void endAndStateAreReplacedOfOnePermitOnly(Rig rig) {
        PermitRow other = permit(-8, "t1 b", 9);
        write(rig, permits -> permits.insert(permit(-7, "t1 a", 9)));
        write(rig, permits -> permits.insert(other));
        PermitRow after = new PermitRow(-7, "t1 a", 12, "{\"cost\":2}");
        write(rig, permits -> {
            permits.save(after);
            return true;
        });
        assertThat(found(rig, -7)).isEqualTo(after);
        assertThat(found(rig, -8)).isEqualTo(other);
    }

    @Test
    default void permitsThatHaveEndedGoTheOldestFirst(Rig rig) {
        for (int i = 1; i <= 4; i++) {
            long number = i;
            write(rig, permits -> permits.insert(permit(-number, "t1 " + number, 10 * number)));
        }
        assertThat(RequestedPermitContract.<Integer>write(rig, permits -> permits.prune(40, 2)))
                .isEqualTo(2);
        assertThat(found(rig, -1)).isNull();
        assertThat(found(rig, -2)).isNull();
        assertThat(found(rig, -3)).isNotNull();
        assertThat(RequestedPermitContract.<Integer>write(rig, permits -> permits.prune(40, 10)))
                .isEqualTo(1);
        assertThat(found(rig, -4)).isNotNull();
    }
}
