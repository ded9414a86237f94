import { z } from 'zod';

const disposition = z.record(z.string(), z.number()).default({});
const sideData = z.array(z.looseObject({ side_data_type: z.string(), displaymatrix: z.string().optional() }));

/** A track as `ffprobe` tells it. */
const streamSchema = z.looseObject({
  index: z.int(),
  codec_type: z.string().default('unknown'),
  codec_name: z.string().default('unknown'),
  codec_tag_string: z.string().default(''),
  profile: z.string().optional(),
  level: z.number().default(-99),
  width: z.int().default(0),
  height: z.int().default(0),
  sample_aspect_ratio: z.string().default('0:1'),
  channels: z.int().default(0),
  sample_rate: z.coerce.number().default(0),
  nb_frames: z.coerce.number().default(0),
  duration: z.coerce.number().default(0),
  disposition,
  side_data_list: sideData.default([]),
  tags: z.record(z.string(), z.string()).default({}),
});
export type Stream = z.infer<typeof streamSchema>;

export const describedSchema = z.object({
  streams: z.array(streamSchema).default([]),
  format: z.looseObject({ format_name: z.string(), tags: z.record(z.string(), z.string()).default({}) }),
});

/** The first pictures of a track. */
export const frameSchema = z.object({
  frames: z
    .array(
      z.looseObject({
        pix_fmt: z.string().optional(),
        interlaced_frame: z.int().default(0),
        color_range: z.string().optional(),
        color_space: z.string().optional(),
        color_primaries: z.string().optional(),
        color_transfer: z.string().optional(),
      }),
    )
    .default([]),
});
export type Frames = z.infer<typeof frameSchema>['frames'];

/** The nine numbers in FFmpeg's drawing of a matrix. */
export function matrixOf({ side_data_list }: Stream): number[] | null {
  const drawn = side_data_list.find(({ displaymatrix }) => displaymatrix !== undefined)?.displaymatrix;
  const numbers = drawn
    ?.split('\n')
    .flatMap((row) =>
      row
        .replace(/^[0-9a-f]+:/, '')
        .trim()
        .split(/\s+/),
    )
    .filter((each) => each !== '')
    .map(Number);
  return numbers?.length === 9 ? numbers : null;
}
