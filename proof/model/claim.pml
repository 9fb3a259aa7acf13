/*
 * Claim, fence and wake-up, as the turnaround does them on PostgreSQL (read committed, row locks): one gate with CAP
 * places, two lanes behind it, two workers with a slot each, a client, and a reaper that gives workers up at the worst
 * moment. Answers get lost, transactions fail, handlers ask to run again.
 *
 * A statement is an atomic step; whatever lies between two statements of a transaction can be overtaken by anybody. What a
 * transaction writes is kept in local variables until its commit, where all of it becomes visible at once.
 *
 * Checked: an outcome is taken only under the epoch it was leased with (I5); places in use are the running leases (I13)
 * and never more than the gate has (I6); epochs only rise (I4, by construction of lease); and when nothing can move any
 * more, every job is done, nothing is held and no row is left over: a lost wake-up is a job that sleeps there (I19).
 * There is no poll in the model: the look every 30 seconds would only hide a lost wake-up.
 *
 * Each BUG_ define plants one bug that must be found; see the README beside this file and Turnaround, LanesInHand,
 * Returns, Reap and ClaimLoop in core.
 */
#ifndef CAP
#define CAP 1
#endif
#ifndef FAULTS
#define FAULTS 1	/* turns whose answer is lost, or that fail */
#endif
#ifndef REAPS
#define REAPS 1		/* workers given up although they live */
#endif
#ifndef RETRIES
#define RETRIES 1	/* handlers that ask to run again */
#endif
#ifndef JOBS
#define JOBS 3		/* of lanes 0, 1, 0; or 2 */
#endif
#define LANES 2
#define WORKERS 2
#define LANE_OF(j) ((j) & 1)
#define NOBODY 255

mtype = { NONE, QUEUED, RUNNING, DONE };	/* jobs */
mtype = { ABSENT, READY, WAITING };		/* lane rows */

/* The store. */
mtype state[JOBS] = NONE;
byte epoch[JOBS];
byte owner[JOBS] = NOBODY;	/* a registration: 2 * its number + the worker */
byte bell[LANES];		/* committed doorbells that nobody holds */
mtype row[LANES] = ABSENT;
byte rowLock[LANES] = NOBODY;
byte used;
bool isWakeDue;			/* wake_at of the gate is not in the future */
byte gateLock = NOBODY;
bool isAlive[WORKERS] = true;	/* the worker's own row is there */

/* The workers. */
byte registration[WORKERS];
bool hint[WORKERS];

byte faults = FAULTS;
byte reaps = REAPS;
byte retries = RETRIES;

#define ID(w) (2 * registration[w] + (w))
#define REAPER WORKERS

#if JOBS > 2
#define LEASES ((state[0] == RUNNING) + (state[1] == RUNNING) + (state[2] == RUNNING))
#else
#define LEASES ((state[0] == RUNNING) + (state[1] == RUNNING))
#endif

inline check() {
	assert(used == LEASES);
	assert(used <= CAP)
}

inline wakeAll() {
	hint[0] = true;
	hint[1] = true
}

/* The oldest waiting job of each lane, and how many wait there; a job that this turn gives back is seen by it. */
inline readHeads() {
	d_step {
		l = 0;
		do
		:: l < LANES -> first[l] = NOBODY; more[l] = 0; l++
		:: else -> break
		od;
		k = 0;
		do
		:: k < JOBS ->
			if
			:: state[k] == QUEUED || (isTaken && isAgain && k == job) ->
				first[LANE_OF(k)] = (first[LANE_OF(k)] == NOBODY -> k : first[LANE_OF(k)]);
				more[LANE_OF(k)]++
			:: else
			fi;
			k++
		:: else -> break
		od
	}
}

inline unlock() {
	l = 0;
	do
	:: l < LANES -> rowLock[l] = (rowLock[l] == w -> NOBODY : rowLock[l]); l++
	:: else -> break
	od;
	gateLock = (gateLock == w -> NOBODY : gateLock)
}

inline rollBack() {
	bell[0] = bell[0] + bells[0];
	bell[1] = bell[1] + bells[1];
	unlock()
}

inline commit() {
	if
	:: isTaken && isAgain -> used--; state[job] = QUEUED; owner[job] = NOBODY; bell[LANE_OF(job)]++; isRung = true
	:: isTaken && !isAgain -> used--; state[job] = DONE; owner[job] = NOBODY
	:: else
	fi;
#ifdef BUG_RELEASE_TWICE
	/* A refused outcome gives its place back all the same. */
	used = used - (hasEnded && !isTaken && used > 0 -> 1 : 0);
#endif
	if
	:: granted != NOBODY ->
		assert(state[granted] == QUEUED);
		state[granted] = RUNNING; epoch[granted]++; owner[granted] = ID(w); used++
	:: else
	fi;
	l = 0;
	do
	:: l < LANES ->
		if
		:: inHand[l] -> assert(stored[l] || row[l] == ABSENT); row[l] = fate[l]
		:: !inHand[l] && took[l] -> bell[l]++
		:: else
		fi;
		l++
	:: else -> break
	od;
	isWakeDue = (isGateHeld -> false : isWakeDue);
	unlock();
	check();
	/* Whoever is full leaves the rest to others; whoever is not looks again at once. */
	hint[1 - w] = hint[1 - w] || ((isLeft || isRung) && (granted != NOBODY || !slot)) || (isPulled && isLeft);
	hint[w] = hint[w] || ((isLeft || isRung) && granted == NOBODY)
}

/* The answer arrived: outcomes are settled, what was granted starts, and a lease of a lost answer is found. */
inline learn() {
	if
	:: hasEnded -> hasEnded = false; isAgain = false; job = NOBODY; lease = 0
	:: else
	fi;
	if
	:: granted != NOBODY -> job = granted; lease = epoch[granted]
	:: else
	fi;
	if
	:: isInDoubt ->
		k = 0;
		do
		:: k < JOBS ->
			if
			:: state[k] == RUNNING && owner[k] == ID(w) && job != k -> job = k; lease = epoch[k]
			:: else
			fi;
			k++
		:: else -> break
		od;
		isInDoubt = false
	:: else
	fi
}

inline forgetTurn() {
	l = 0;
	do
	:: l < LANES ->
		inHand[l] = false; stored[l] = false; took[l] = false; bells[l] = 0; first[l] = NOBODY; more[l] = 0;
		fate[l] = ABSENT; l++
	:: else -> break
	od;
	slot = false; isTaken = false; isPulled = false; isRung = false; isLeft = false; isGateHeld = false;
	room = 0; granted = NOBODY; l = 0; k = 0; heads = 0; usedSeen = 0
}

proctype Client() {
	byte j = 0;
	bool isRowSeen;
	do
	:: j < JOBS ->
#ifdef BUG_RING_FIRST
		/* The doorbell in a transaction of its own, before the job. */
		bell[LANE_OF(j)]++;
		state[j] = QUEUED;
#elif defined(BUG_RING_IF_ABSENT)
		/* No doorbell for a lane that has a row: its turn will see the job. */
		isRowSeen = row[LANE_OF(j)] != ABSENT;
		atomic {
			state[j] = QUEUED;
			if
			:: !isRowSeen -> bell[LANE_OF(j)]++
			:: else
			fi
		}
#else
		atomic { state[j] = QUEUED; bell[LANE_OF(j)]++ }
#endif
		atomic { wakeAll(); j++ }
	:: else -> break
	od
}

proctype Worker(byte w) {
	byte job = NOBODY;		/* what its slot holds */
	byte lease;			/* under which epoch */
	bool hasEnded, isAgain;		/* its handler came back; it wants to run again */
	bool isInDoubt;			/* an answer was lost */

	/* Of the turn under way. */
	bool slot, isTaken, isPulled, isRung;
	bool inHand[LANES], stored[LANES], took[LANES];
	byte bells[LANES];
	byte room, granted, l, k, heads, first[LANES], more[LANES];
	mtype fate[LANES];
	bool isLeft, isGateHeld;
	byte usedSeen;

	forgetTurn();
end:	do
	/* The handler comes back whenever it likes. */
	:: atomic { job != NOBODY && !hasEnded ->
		hasEnded = true;
		isAgain = false;
		if
		:: retries > 0 -> retries--; isAgain = true
		:: true
		fi }

	/* The heartbeat hears that the worker was given up: a new registration, and its handlers work for nothing. */
	:: atomic { !isAlive[w] ->
		registration[w]++; isAlive[w] = true;
		job = NOBODY; hasEnded = false; isAgain = false; isInDoubt = false;
		hint[w] = true }

	/* A turn: something to tell, something in doubt, or a free slot and a hint. */
	:: atomic { hasEnded || isInDoubt || (hint[w] && job == NOBODY) ->
		slot = !isInDoubt && (job == NOBODY || hasEnded);
#ifndef BUG_HINT_CLEARED_LATE
		hint[w] = (slot -> false : hint[w])
#endif
		}

		/* Doorbells that can be seen and are not held by others. */
		if
		:: slot -> d_step {
			l = 0;
			do
			:: l < LANES -> bells[l] = bell[l]; took[l] = bell[l] > 0; bell[l] = 0; l++
			:: else -> break
			od }
		:: else
		fi;

		/* Ready lanes, skipping those in other hands. */
		if
		:: slot -> d_step {
			l = 0;
			do
			:: l < LANES ->
				if
				:: row[l] == READY && rowLock[l] == NOBODY ->
					rowLock[l] = w; inHand[l] = true; stored[l] = true
				:: else
				fi;
				l++
			:: else -> break
			od }
		:: else
		fi;
#ifdef BUG_HEADS_BEFORE_GATE
		readHeads();
#endif
#ifdef BUG_COUNT_BEFORE_GATE
		usedSeen = used;
#endif

		/* The gate, if anything here can touch it. */
		if
		:: took[0] || took[1] || inHand[0] || inHand[1] || hasEnded || (slot && isWakeDue) ->
			atomic { gateLock == NOBODY -> gateLock = w; isGateHeld = true }
		:: else
		fi;
#ifndef BUG_COUNT_BEFORE_GATE
		usedSeen = used;
#endif

		/* The lanes of the doorbells, under the gate's lock: has it a row, and can we have it? */
		d_step {
			l = 0;
			do
			:: l < LANES ->
				if
				:: took[l] && !inHand[l] ->
					if
					:: row[l] == ABSENT -> inHand[l] = true
					:: row[l] != ABSENT && rowLock[l] == NOBODY ->
						rowLock[l] = w; inHand[l] = true; stored[l] = true
					:: else -> isRung = true	/* rung once more, at the commit */
					fi
				:: else
				fi;
				l++
			:: else -> break
			od }

		/* What ended comes back, if it is still ours. */
		atomic {
			isTaken = false;
			if
			:: hasEnded ->
#ifdef BUG_NO_EPOCH
				isTaken = state[job] == RUNNING && owner[job] == ID(w);
#elif defined(BUG_NO_FENCE)
				isTaken = state[job] == RUNNING;
#else
				isTaken = state[job] == RUNNING && owner[job] == ID(w) && epoch[job] == lease;
#endif
				assert(!isTaken || (epoch[job] == lease && owner[job] == ID(w)));
			:: else
			fi;
			room = CAP - usedSeen + (isTaken -> 1 : 0)
		}

		/* As many lanes out of the line as the gate can let pass. */
#ifndef BUG_LINE_ASLEEP
		if
		:: isGateHeld -> d_step {
			l = 0; k = room;
			do
			:: l < LANES ->
				if
				:: k > 0 && row[l] == WAITING && rowLock[l] == NOBODY ->
					rowLock[l] = w; inHand[l] = true; stored[l] = true; isPulled = true; k--
				:: else
				fi;
				l++
			:: else -> break
			od }
		:: else
		fi;
#endif

#ifndef BUG_HEADS_BEFORE_GATE
		readHeads();
#endif

		/* The plan: one slot, so one grant at most, from any lane in hand. */
		atomic {
			granted = NOBODY;
			if
			:: slot && room > 0 && inHand[0] && first[0] != NOBODY -> granted = first[0]
			:: slot && room > 0 && inHand[1] && first[1] != NOBODY -> granted = first[1]
			:: else
			fi;
			room = room - (granted == NOBODY -> 0 : 1);
			isLeft = false;
			l = 0;
			do
			:: l < LANES ->
				if
				:: inHand[l] ->
					heads = more[l] - (granted != NOBODY && granted == first[l] -> 1 : 0);
					if
					:: heads == 0 -> fate[l] = ABSENT
					:: heads > 0 && room == 0 -> fate[l] = WAITING
					:: else -> fate[l] = READY; isLeft = true
					fi
				:: else
				fi;
				l++
			:: else -> break
			od
		}

		/* The commit, or a failure, or a commit of which this worker never hears. */
		atomic {
			if
#ifdef BUG_NO_FENCE
			:: !isAlive[w] -> commit(); learn()
#else
			:: !isAlive[w] -> rollBack()	/* WorkerLostException: the heartbeat's branch goes on */
#endif
			:: isAlive[w] -> commit(); learn()
			:: isAlive[w] && faults > 0 -> faults--; commit(); isInDoubt = true; hint[w] = true
			:: isAlive[w] && faults > 0 -> faults--; rollBack(); isInDoubt = true; hint[w] = true
			fi;
#ifdef BUG_HINT_CLEARED_LATE
			hint[w] = (slot && !isInDoubt -> false : hint[w]);
#endif
			forgetTurn()
		}
	od
}

inline findHeld(found) {
	found = NOBODY;
	k = 0;
	do
	:: k < JOBS -> found = (state[k] == RUNNING && owner[k] == ID(w) -> k : found); k++
	:: else -> break
	od
}

/* Gives a worker up although it may be at work: gates first, as a turn does, then the worker's row. */
proctype Reaper() {
	byte w, k, seen, holds;
	do
	:: reaps > 0 ->
		atomic {
			if
			:: w = 0
			:: w = 1
			fi;
			findHeld(seen)
		}
		if
		:: seen != NOBODY -> atomic { gateLock == NOBODY -> gateLock = REAPER }
		:: else
		fi;
		atomic {
			findHeld(holds);
			if
			:: isAlive[w] && (holds == NOBODY || holds == seen) ->
				reaps--;
				isAlive[w] = false;
				if
				:: holds != NOBODY ->
					state[holds] = QUEUED; owner[holds] = NOBODY; bell[LANE_OF(holds)]++; used--;
					isWakeDue = isWakeDue || row[0] == WAITING || row[1] == WAITING
				:: else
				fi
			:: else
			fi;
			gateLock = (gateLock == REAPER -> NOBODY : gateLock);
			check()
		}
		atomic { wakeAll(); seen = NOBODY; holds = NOBODY }
	:: reaps > 0 -> reaps = 0
	:: reaps == 0 -> break
	od
}

/* When nothing can move any more, nothing may be left to do. */
proctype Observer() {
	byte k = 0;
	timeout;
	do
	:: k < JOBS -> assert(state[k] == DONE); k++
	:: else -> break
	od;
	assert(used == 0 && gateLock == NOBODY);
	k = 0;
	do
	:: k < LANES -> assert(row[k] == ABSENT && bell[k] == 0 && rowLock[k] == NOBODY); k++
	:: else -> break
	od
}

init {
	atomic {
		run Client();
		run Worker(0);
		run Worker(1);
		run Reaper();
		run Observer()
	}
}
