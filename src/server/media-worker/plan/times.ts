/** One packet as the demuxer gives it; seconds. */
export type PacketTime = {
  /** When it is shown, and when it is decoded; null when the file doesn't say. */
  pts: number | null;
  dts: number | null;
  duration: number;
  bytes: number;
  /** Needed by others, and cut away by the film's edits. */
  discarded: boolean;
};

/** Taken over as it is, a film may end so much later (seconds): with what is cut away but needed to decode. */
const CUT_SECONDS = 0.07;

/** What the packets of a track say together; seconds. */
export type Times = {
  packets: number;
  /** Those that aren't cut away. */
  shown: number;
  bytes: number;
  /** The first moment that is shown, and the end of the last. */
  start: number;
  end: number;
  /** From one packet to the next, as a rule, and how long the last one stays. */
  typical: number;
  last: number;
  /** The most that are shown in one second. */
  mostInASecond: number;
  /** Packets without a time of their own, shown together with another, or whose times go backwards. */
  astray: number;
  /** Something is cut away that isn't just the beginning or the end: the rest can't be taken over as it is. */
  isCutInside: boolean;
};

/** Pictures are stored before others that are shown earlier, but not before more than these. */
const REORDERED = 32;

/** Adds up a track's packets, one after the other, in a memory that doesn't grow with them. */
export function timesOf() {
  let [packets, bytes, astray] = [0, 0, 0];
  let [start, end, lastStart, lastDts] = [Infinity, -Infinity, -Infinity, -Infinity];
  let [shown, lastDuration] = [0, 0];
  const cut = cutAway();
  const busiest = busiestSecond();
  const recent: number[] = [];

  const isAstray = ({ pts, dts }: PacketTime) => {
    if (pts === null || recent.includes(pts) || (dts !== null && dts <= lastDts)) return true;
    recent.push(pts);
    if (recent.length > REORDERED) recent.shift();
    return false;
  };

  return {
    add(packet: PacketTime) {
      packets += 1;
      bytes += packet.bytes;
      if (isAstray(packet)) astray += 1;
      lastDts = packet.dts ?? lastDts;
      const time = packet.pts ?? packet.dts;
      if (packet.discarded) {
        cut.add(time ?? -Infinity, shown > 0);
        return;
      }
      cut.followed();
      if (time === null) return;
      shown += 1;
      start = Math.min(start, time);
      if (time >= lastStart) [lastStart, lastDuration] = [time, packet.duration];
      end = Math.max(end, time);
      busiest.add(packet.dts ?? time);
    },
    count: () => ({ packets }),
    sum(): Times | null {
      if (shown === 0) return null;
      const isCutInside = cut.isInside(start, lastStart);
      const typical = shown > 1 ? (lastStart - start) / (shown - 1) : lastDuration;
      // The last length is only told, and nothing follows that would prove it.
      const last = lastDuration > 0 && lastDuration <= Math.max(1, 10 * typical) ? lastDuration : typical;
      return {
        packets,
        shown,
        bytes,
        start,
        end: end + last,
        typical,
        last,
        mostInASecond: busiest.count(),
        astray,
        isCutInside,
      };
    },
  };
}

/** How many there are in the second that has most of them. */
function busiestSecond() {
  let [second, inIt, most] = [0, 0, 0];
  return {
    add(time: number) {
      const now = Math.floor(time);
      inIt = now === second ? inIt + 1 : 1;
      second = now;
      most = Math.max(most, inIt);
    },
    count: () => most,
  };
}

/**
 * What is cut away. After something was shown: from when on, and until when of it what is shown needs some to be decoded; before that only what
 * lies earlier may be.
 */
function cutAway() {
  let [before, from, latest, needed] = [-Infinity, Infinity, -Infinity, -Infinity];
  return {
    add(time: number, isBegun: boolean) {
      if (!isBegun) {
        before = Math.max(before, time);
        return;
      }
      from = Math.min(from, time);
      latest = Math.max(latest, time);
    },
    /** Something is shown that comes after it. */
    followed() {
      needed = Math.max(needed, latest);
    },
    /** @param start of what is shown first, and of what is shown last */
    isInside: (start: number, lastStart: number) =>
      before > start || from < lastStart || needed - lastStart > CUT_SECONDS,
  };
}

/** The longest stretch (seconds) in which no track has anything: fed with the packets of all of them as they come. */
export function holesIn() {
  let [longest, end] = [0, null as number | null];
  return {
    add({ pts, dts, duration, discarded }: PacketTime) {
      const time = dts ?? pts;
      if (time === null || discarded) return;
      if (end !== null) longest = Math.max(longest, Math.abs(time - end));
      end = Math.max(end ?? time, time + Math.min(duration, 1));
    },
    longest: () => longest,
  };
}
