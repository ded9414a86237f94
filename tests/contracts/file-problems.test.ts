import { expect, test } from 'vitest';
import { MEDIA_SLOTS, type MediaKind } from '../../src/domain/media-slots.ts';
import { refusalOf } from '../../src/server/features/uploads/refusal.ts';
import { FILE_PROBLEMS, type FileProblem } from '../../src/server/media-worker/door.ts';

/** What is said of a problem, whatever the file was for. */
const SAME: Partial<Record<FileProblem, string>> = {
  empty: 'FILE_EMPTY',
  protected: 'FILE_PROTECTED',
  no_picture: 'FILE_NO_PICTURE',
  no_sound: 'FILE_NO_SOUND',
  undecodable: 'FILE_UNDECODABLE',
  cut_short: 'FILE_TRUNCATED',
  damaged: 'FILE_BROKEN',
  too_long: 'FILE_TOO_LONG',
  svg: 'FILE_SVG',
  locked: 'FILE_PDF_LOCKED',
  wallet_pass: 'FILE_WALLET_PASS',
  killed: 'FILE_TOO_HARD',
  memory: 'FILE_TOO_HARD',
  stalled: 'FILE_TOO_HARD',
};
/** What is said of the others, by what the file was for. */
const BY_KIND: Record<MediaKind, Partial<Record<FileProblem, string>>> = {
  video: { unknown: 'FILE_NOT_VIDEO', too_large: 'FILE_VIDEO_TOO_BIG' },
  image: { unknown: 'FILE_NOT_IMAGE', too_large: 'FILE_IMAGE_TOO_BIG' },
  tickets: { unknown: 'FILE_NOT_TICKETS', too_large: 'FILE_IMAGE_TOO_BIG' },
  song: { unknown: 'FILE_NOT_AUDIO', too_large: 'FILE_IMAGE_TOO_BIG' },
};

const kinds = new Set(Object.values(MEDIA_SLOTS).map(({ kind }) => kind));

test.each([...kinds].flatMap((kind) => FILE_PROBLEMS.map((problem) => ({ kind, problem }))))(
  'a file for $kind that is $problem is told so',
  ({ kind, problem }) => {
    expect(refusalOf(problem, kind)).toBe(BY_KIND[kind][problem] ?? SAME[problem]);
  },
);
