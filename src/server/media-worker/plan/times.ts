/** A packet from the demuxer; times in seconds. */
export type PacketTime = {
  /** Presentation and decoding times; null if the file has none. */
  pts: number | null;
  dts: number | null;
  duration: number;
  bytes: number;
  /** Needed to decode others, but cut away by the edit list. */
  discarded: boolean;
};

/** Most seconds that packets cut away but needed for decoding may add to the end of a copied film. */
const CUT_SECONDS = 0.07;

/** Summary of a track's packets; times in seconds. */
export type Times = {
  packets: number;
  /** Packets that aren't cut away. */
  shown: number;
  bytes: number;
  /** Start of the first shown packet, and end of the last. */
  start: number;
  end: number;
  /** Average time between packets, and duration of the last one. */
  typical: number;
  last: number;
  /** Maximum number shown in one second. */
  maxPerSecond: number;
  /** Packets without a timestamp, with that of another, or with decoding times that go backwards. */
  astray: number;
  /** True if more than the beginning or the end is cut away: such a track can't be copied. */
  isCutInside: boolean;
};

/** Maximum number of packets between storage order and presentation order. */
const REORDERED = 32;

/** Summarizes a track's packets one by one, in constant memory. */
export function timesOf() {
  let [packets, bytes, astray] = [0, 0, 0];
  let [start, end, lastStart, lastDts] = [Infinity, -Infinity, -Infinity, -Infinity];
  let [shown, lastDuration] = [0, 0];
  const cut = trackCuts();
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
      // The last duration is only claimed: no packet follows to confirm it.
      const last = lastDuration > 0 && lastDuration <= Math.max(1, 10 * typical) ? lastDuration : typical;
      return {
        packets,
        shown,
        bytes,
        start,
        end: end + last,
        typical,
        last,
        maxPerSecond: busiest.count(),
        astray,
        isCutInside,
      };
    },
  };
}

/** Counts the packets of the busiest second. */
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
 * Records packets that are cut away. Before the first shown packet only earlier ones may be cut. After it, records the start of the cut
 * and the end of the part that shown packets need for decoding.
 */
function trackCuts() {
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
    /** Called when a shown packet follows the cut ones. */
    followed() {
      needed = Math.max(needed, latest);
    },
    /**
     * @param start time of the first shown packet
     * @param lastStart time of the last shown packet
     */
    isInside: (start: number, lastStart: number) =>
      before > start || from < lastStart || needed - lastStart > CUT_SECONDS,
  };
}

/** Measures the longest time in seconds in which no track has a packet. Takes the packets of all tracks in file order. */
export function measureGaps() {
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
