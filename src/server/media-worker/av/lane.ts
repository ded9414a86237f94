import type { Packet } from 'node-av/lib';

/** The way of one track through the work: packets of the old file in, packets of the new one out. */
export type TrackPipeline = {
  /** The track of the old file. */
  index: number;
  put(packet: Packet): Promise<void>;
  /** The track is over: the rest comes out. */
  end(): Promise<void>;
  /** Packets and pictures that couldn't be decoded as they should. */
  faults(): number;
  frames(): number;
  close(): void;
};
