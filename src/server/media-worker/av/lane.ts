import type { Packet } from 'node-av/lib';

/** Processing of one track: packets of the source in, packets of the output out. */
export type TrackPipeline = {
  /** Index of the track in the source. */
  index: number;
  put(packet: Packet): Promise<void>;
  /** Ends the track and flushes its remaining packets. */
  end(): Promise<void>;
  /** Number of packets and frames with decoding errors. */
  faults(): number;
  frames(): number;
  close(): void;
};
