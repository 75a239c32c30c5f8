/* The protocol of servers that share one log, for spin: append, tail, generations, checkpoint and epoch.

   Two servers append the inputs of two clients to one log, and each applies all entries in the order of the log.
   A client sends one input after the other, each again with the same key until its outcome is known. The faults are
   flags: BREAK, a connection to the log breaks; CRASH, a server crashes and starts anew; CHECKPOINT, the log is
   trimmed; LOSE, the log loses its last entry; UPGRADE, all servers become another program. The servers are alike, so
   what happens to one happens to server 0. With READER a client keeps a copy of what any server shows, by diffs.
   `scripts/model` checks all orders in which that can happen, and that each bug below, which is a flag as well,
   breaks an assertion.

   Left out: time. */

#define SERVERS 2
#define CLIENTS 2
#ifndef EACH
#define EACH 2                    /* the inputs of a client, whose keys are CLIENT * EACH + 0, 1, ... */
#endif
#define JOIN 4                    /* the key of a `join` entry: one more than the last input */
#define NAMES 8                   /* the names that servers take: a new one for each start */
#define LENGTH 10                 /* the most entries that can come about */

#define bit(k) (1 << (k))
#define isReady(s) (termAt[s] == term && epochAt[s] == epoch && nfull(line[s]))
#define wait(s, c) waits[(s) * CLIENTS + (c)]
#define newest(s, n) generations[(s) * NAMES + (n)]

#ifdef READER
#define shows(s, p) revisions[(s) * (LENGTH + 1) + (p)]
/* Another program shows some contents as the one before, and some in another way. */
#define keep(s) shows(s, position[s]) = content[s] + (program && content[s] > CLIENTS) * 1000
#else
#define keep(s)
#endif
#define GONE 255

mtype = { none, answered, refused, lost };

/* The log. */
byte key[LENGTH], sender[LENGTH], generation[LENGTH];
byte length, trimmed;
byte epoch = 1;                   /* what tokens are made with, kept in the log */
byte term, epochOf;                /* which run of the engine it is, and for which one the epoch was made */

/* The oldest checkpoint. */
byte keptPosition, keptApplied, keptGenerations[NAMES];
short keptContent;

/* The servers. */
byte name[SERVERS], own[SERVERS]; /* its name, and the generation of its connection */
byte position[SERVERS], applied[SERVERS], generations[SERVERS * NAMES];
byte epochAt[SERVERS] = 1, termAt[SERVERS];
short content[SERVERS];           /* what is shown: the inputs in their order */
byte waits[SERVERS * CLIENTS];    /* the input for which a client waits, plus 1 */
byte sentIn[SERVERS * CLIENTS];   /* the generation in which it was sent */
byte nextName = SERVERS;
short news; byte told;                 /* what is still to be told to a stream of server 0, and the last that was */

/* What is on its way: on the connection of a server, and on connections that are broken. */
chan line[SERVERS] = [3] of { byte, byte, byte };
chan strays = [4] of { byte, byte, byte };

/* What clients know. */
mtype reply[CLIENTS] = none;
byte replyAt[CLIENTS], replyEpoch[CLIENTS];
byte acknowledged, givenUp, done;

#ifdef READER
/* What a server has shown at each position that it keeps, from the oldest one on. */
short revisions[SERVERS * (LENGTH + 1)];
byte oldest[SERVERS];
bool program;
/* What the reader has, and the revision by which it knows that. */
short held;
byte heldEpoch = 1, heldPosition;
#endif

/* What a position has shown in this epoch, plus 1; only the assertions look at it. */
short shown[LENGTH];

inline append(k, n, g) {
  assert(length < LENGTH);
  key[length] = k; sender[length] = n; generation[length] = g;
  length++
}

/* Nobody knows whether what is on its way arrives. */
inline breakLine(s) {
  do
  :: line[s]?k, n, g -> strays!k, n, g
  :: empty(line[s]) -> break
  od
}

inline tell(s, c, what) {
  if
  :: wait(s, c) -> reply[c] = what; replyAt[c] = position[s] + 1; replyEpoch[c] = epochAt[s]; wait(s, c) = 0;
    sentIn[(s) * CLIENTS + (c)] = 0
  :: else
  fi
}

/* Begins with the checkpoint. Whoever waits gets no answer: it may have been one of the entries before it. */
inline restore(s) {
  position[s] = keptPosition; applied[s] = keptApplied; content[s] = keptContent;
  for (i : 0 .. NAMES - 1) {
#ifdef CHECKPOINT_WITHOUT_GENERATIONS
    newest(s, i) = 0
#else
    newest(s, i) = keptGenerations[i]
#endif
  }
  for (i : 0 .. CLIENTS - 1) { tell(s, i, lost) }
#ifdef READER
  for (i : 0 .. LENGTH) { shows(s, i) = 0 }
  oldest[s] = keptPosition;
#endif
  keep(s)
}

/* Applies the next entry, which says the same on each server. */
inline apply(s) {
  k = key[position[s]]; n = sender[position[s]]; g = generation[position[s]];
  if
  :: k == JOIN ->
    newest(s, n) = g;
    for (i : 0 .. CLIENTS - 1) {
      /* What it sent before and has not seen is certainly not recorded, because all ignore it from now on. */
      if
      :: n == name[s] && wait(s, i) && sentIn[s * CLIENTS + i] < g -> tell(s, i, refused)
      :: else
      fi
    }
#ifndef NO_GENERATIONS
  :: k != JOIN && g < newest(s, n)
#endif
  :: else ->
    if
#ifndef APPLIED_TWICE
    :: applied[s] & bit(k)
#endif
    :: else ->
      assert(!(applied[s] & bit(k)));      /* nothing is applied twice */
      assert(!(givenUp & bit(k)));         /* nor anything of which a client knows that it was not recorded */
      applied[s] = applied[s] | bit(k);
      content[s] = content[s] * 5 + k + 1
    fi;
    if
    :: n == name[s] && wait(s, k / EACH) == k + 1 -> tell(s, k / EACH, answered)
    :: else
    fi
  fi;
  if
  :: epochAt[s] == epoch ->
    if
    :: shown[position[s]] == 0 -> shown[position[s]] = content[s] + 1
    :: else -> assert(shown[position[s]] == content[s] + 1)  /* one revision has one content */
    fi
  :: else
  fi;
  position[s] = position[s] + 1;
  keep(s);
#ifdef STREAM
  if
  :: s == 0 -> news = news | bit(position[s] - 1)
  :: else
  fi
#endif
}

proctype Server(byte s) {
  byte k, n, g, i;
end:
  do
  :: d_step { termAt[s] == term && epochAt[s] == epoch && position[s] >= trimmed && position[s] < length ->
      apply(s); k = 0; n = 0; g = 0; i = 0 }
  /* The log was trimmed beyond it. */
  :: d_step { termAt[s] == term && position[s] < trimmed -> restore(s); i = 0 }
#ifdef LOSE
  /* The engine is another run, which may have less. Who sees that first renews the epoch before anything is sent. */
  :: d_step { termAt[s] != term ->
      termAt[s] = term;
#if defined(NOTICED_BY_ENTRY)
      /* Only who has applied an entry that is gone sees that it is. */
      if
      :: position[s] > length -> epoch++; for (i : 0 .. LENGTH - 1) { shown[i] = 0 }
      :: else
      fi;
#elif !defined(LOST_TAIL_UNNOTICED)
      if
      :: epochOf != term -> epochOf = term; epoch++; for (i : 0 .. LENGTH - 1) { shown[i] = 0 }
      :: else
      fi;
#endif
      for (i : 0 .. CLIENTS - 1) { tell(s, i, lost) }
      name[s] = nextName; nextName++; own[s] = 0; i = 0 }
  :: d_step { epochAt[s] != epoch -> epochAt[s] = epoch; restore(s); i = 0 }
#endif
  od
}

/* The log takes what arrives; of what is on a broken connection, perhaps. */
proctype Engine() {
  byte k, n, g;
end:
  do
  :: d_step { nempty(line[0]) -> line[0]?k, n, g; append(k, n, g); k = 0; n = 0; g = 0 }
  :: d_step { nempty(line[1]) -> line[1]?k, n, g; append(k, n, g); k = 0; n = 0; g = 0 }
  :: d_step { nempty(strays) -> strays?k, n, g; append(k, n, g); k = 0; n = 0; g = 0 }
  :: d_step { nempty(strays) -> strays?k, n, g; k = 0; n = 0; g = 0 }
  od
}

/* A stream of server 0, which tells each revision in its order. */
proctype Stream() {
  byte p;
end:
  do
  :: atomic { news ->
      p = 0;
      do
      :: news & bit(p) -> break
#ifdef UNSORTED_WAKE_UP
      :: (news >> (p + 1)) -> p++
#else
      :: !(news & bit(p)) -> p++
#endif
      od;
      assert(p + 1 > told);
      told = p + 1; news = news & ~bit(p); p = 0 }
  od
}

#ifdef READER
/* The reader names its revision and, by `have`, what it holds. The answer is a diff from there, or all. */
inline ask(s) {
  if
  :: heldEpoch == epochAt[s] && heldPosition >= oldest[s] -> p = heldPosition
#ifdef HAVE_BY_NUMBER
  :: heldEpoch != epochAt[s] && heldPosition >= oldest[s] && heldPosition <= position[s] -> p = heldPosition
#endif
  :: else ->
#ifdef HAVE_IGNORED
    p = GONE
#else
    p = position[s];
    do
    :: p == GONE || shows(s, p) == held -> break
    :: else -> p = (p > oldest[s] -> p - 1 : GONE)
    od
#endif
  fi;
  if
  :: p != GONE -> assert(shows(s, p) == held)      /* no diff is a wrong one */
  :: else ->
    /* What is still shown, or was, is never sent as a whole. */
    for (p : oldest[s] .. position[s]) { assert(shows(s, p) != held) }
  fi;
  held = shows(s, position[s]); heldEpoch = epochAt[s]; heldPosition = position[s]; p = 0
}

proctype Reader() {
  byte p;
end:
  do
  /* A server waits until it has the revision that it is asked about. */
  :: d_step { heldEpoch != epochAt[0] || heldPosition <= position[0] -> ask(0) }
  :: d_step { heldEpoch != epochAt[1] || heldPosition <= position[1] -> ask(1) }
  od
}
#endif

inline send(s) {
  reply[c] = none;
  wait(s, c) = k + 1;
  sentIn[s * CLIENTS + c] = own[s];
#ifdef ANSWER_BEFORE_APPEND
  tell(s, c, answered);
#endif
#ifdef LOSE
  line[s]!k, name[s], own[s];
#else
  /* What server 1 has sent cannot be lost, so it might as well have been sent later. */
  if
  :: s == 0 -> line[s]!k, name[s], own[s]
  :: else -> append(k, name[s], own[s])
  fi;
#endif
#ifdef ACKNOWLEDGED_BEFORE_LOGGED
  tell(s, c, answered);
#endif
}

/* A client that knows the outcome of an input, and of all before, sends the next one at once. */
proctype Client(byte c) {
  byte k = c * EACH, s;
  bool isUnsure;
  do
  :: atomic { k < (c + 1) * EACH && reply[c] == none && !wait(0, c) && !wait(1, c) ->
      if
      :: isReady(0) -> s = 0
      :: isReady(1) -> s = 1
      fi;
      d_step { send(s); s = 0 } }
  :: d_step { reply[c] == answered ->
      acknowledged = acknowledged | bit(k);
      for (s : 0 .. SERVERS - 1) {
        /* Its revision gives a client its own write on any server. After another epoch it gets a reset. */
        if
        :: epochAt[s] == replyEpoch[c] && position[s] >= replyAt[c] -> assert(applied[s] & bit(k))
        :: else
        fi
      }
      reply[c] = none; replyAt[c] = 0; replyEpoch[c] = 0; s = 0; isUnsure = false; k++ }
  :: d_step { reply[c] == lost -> reply[c] = none; replyAt[c] = 0; replyEpoch[c] = 0; isUnsure = true }
  :: d_step { reply[c] == refused -> reply[c] = none; replyAt[c] = 0; replyEpoch[c] = 0 }
  /* It knows that nothing was recorded, unless an earlier try was. */
  :: d_step { reply[c] == refused && !isUnsure -> 
      reply[c] = none; replyAt[c] = 0; replyEpoch[c] = 0; givenUp = givenUp | bit(k); k++ }
  :: k == (c + 1) * EACH -> break
  od;
  done++
}

/* The connection of a server to the log breaks: it says so in the log before anything else. */
proctype Break() {
  byte k, n, g;
  d_step {
    breakLine(0);
    own[0] = own[0] + 1;
    line[0]!JOIN, name[0], own[0]; k = 0; n = 0; g = 0 }
}

proctype Checkpoint() {
  byte s, i;
  atomic {
    if
    :: position[0] -> s = 0
    :: position[1] -> s = 1
    fi;
    d_step {
      keptPosition = position[s]; keptApplied = applied[s]; keptContent = content[s];
      for (i : 0 .. NAMES - 1) { keptGenerations[i] = newest(s, i) }
      trimmed = keptPosition; s = 0; i = 0 } }
}
/* The last entry of the log is lost, as by a failover to a copy that was behind. All connections break. */
proctype Lose() {
  byte k, n, g, s;
  d_step {
    length > trimmed;
    length--;
    for (s : 0 .. SERVERS - 1) {
      do
      :: line[s]?k, n, g
      :: empty(line[s]) -> break
      od
    }
    term++ }
}

proctype Crash() {
  byte k, n, g, i;
  d_step {
    breakLine(0);
    name[0] = nextName; nextName++; own[0] = 0;
    epochAt[0] = epoch;
#ifdef LOSE
    termAt[0] = 255;              /* It must look which one it is. */
#endif
    restore(0); k = 0; n = 0; g = 0; i = 0 }
}

#ifdef UPGRADE
/* All servers end. Those that start show what they have in another way, so no token may be given again. */
proctype Upgrade() {
  byte k, n, g, s, i;
  d_step {
    program = true;
#ifndef UPGRADE_KEEPS_EPOCH
    epoch++; for (i : 0 .. LENGTH - 1) { shown[i] = 0 }
#endif
    for (s : 0 .. SERVERS - 1) {
      breakLine(s);
      name[s] = nextName; nextName++; own[s] = 0; epochAt[s] = epoch;
      restore(s)
    }
    k = 0; n = 0; g = 0; s = 0; i = 0 }
}
#endif

/* When all is over, all servers show the same, and what was acknowledged. */
proctype End() {
  d_step {
    done == CLIENTS && position[0] == length && position[1] == length &&
    empty(line[0]) && empty(line[1]) && empty(strays) && epochAt[0] == epochAt[1] &&
    termAt[0] == term && termAt[1] == term ->
    assert(content[0] == content[1]);
    assert(applied[0] == applied[1]);
#ifndef LOSE
    assert((applied[0] & acknowledged) == acknowledged)
#endif
  }
}

init {
  atomic {
    name[0] = 0; name[1] = 1;
    run Server(0); run Server(1); run Engine(); run Client(0); run Client(1); run End();
#ifdef CRASH
    run Crash();
#endif
#ifdef BREAK
    run Break();
#endif
#ifdef CHECKPOINT
    run Checkpoint();
#endif
#ifdef LOSE
    run Lose();
#endif
#ifdef STREAM
    run Stream();
#endif
#ifdef UPGRADE
    run Upgrade();
#endif
#ifdef READER
    run Reader();
#endif
  }
}
