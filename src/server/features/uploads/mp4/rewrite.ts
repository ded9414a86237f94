import {
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathTarget,
  type InputTrack,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';
import type { Course } from '../jobs.ts';
import type { Film } from './film.ts';

/** Written in pieces of this size, in bytes. */
const CHUNK = 1024 * 1024;

type Counts = { video: number; audio: number };

/**
 * Writes the film as an MP4 whose index comes first, every frame and every sound as it is: nothing is decoded. Only picture and sound are
 * taken over; position, names and other tracks are not. Memory holds the index and a few frames, however long the film is.
 */
export async function rewrite(film: Film, made: string, counts: Counts, course: Course): Promise<void> {
  const output = new Output({
    format: new Mp4OutputFormat({ fastStart: 'reserve' }),
    target: new FilePathTarget(made, { chunkSize: CHUNK }),
  });
  const { video, audio } = film;
  const pictures = new EncodedVideoPacketSource('avc');
  output.addVideoTrack(pictures, {
    transformationMatrix: await video.getTransformationMatrix(),
    maximumPacketCount: counts.video,
  });
  const sounds = audio && new EncodedAudioPacketSource('aac');
  if (sounds) output.addAudioTrack(sounds, { maximumPacketCount: counts.audio });
  try {
    await output.start();
    const videoConfig = (await video.getDecoderConfig()) ?? undefined;
    const audioConfig = (await audio?.getDecoderConfig()) ?? undefined;
    await inTurn(
      {
        packets: packetsOf(video),
        add: (packet) => pictures.add(packet, videoConfig && { decoderConfig: videoConfig }),
      },
      audio &&
        sounds && {
          packets: packetsOf(audio),
          add: (packet) => sounds.add(packet, audioConfig && { decoderConfig: audioConfig }),
        },
      ({ timestamp }) => {
        course.signal.throwIfAborted();
        course.progress((0.5 * timestamp) / film.duration);
      },
    );
    await output.finalize();
  } catch (error) {
    await output.cancel().catch(() => undefined);
    throw error;
  }
}

type Strand = { packets: AsyncIterator<EncodedPacket>; add(packet: EncodedPacket): Promise<void> };

const packetsOf = (track: InputTrack) => new EncodedPacketSink(track).packets()[Symbol.asyncIterator]();

/** Adds the packets of picture and sound side by side, as they will be played. */
async function inTurn(
  video: Strand,
  audio: Strand | null,
  onPacket: (packet: EncodedPacket) => void,
): Promise<void> {
  let picture = await video.packets.next();
  let sound = await audio?.packets.next();
  while (!picture.done || (sound !== undefined && !sound.done)) {
    if (
      sound !== undefined &&
      !sound.done &&
      (picture.done || sound.value.timestamp < picture.value.timestamp)
    ) {
      await audio?.add(sound.value);
      sound = await audio?.packets.next();
      continue;
    }
    if (picture.done) return;
    onPacket(picture.value);
    await video.add(picture.value);
    picture = await video.packets.next();
  }
}
