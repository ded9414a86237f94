import { oc } from '@orpc/contract';
import { z } from 'zod';
import { refusals } from '../refusals.ts';
import { remakingSchema } from './media-work.ts';
import { signedIn } from './signed-in.ts';

const id = z.string().max(64);

/** The sound of a film that came with several. */
export const sounds = {
  /**
   * Begins to give the film the sound at this place of its list; `working` tells how far it is. In the end another file is in its place, with the same
   * picture, and the volume as that sound came.
   */
  choose: oc
    .route({ method: 'POST', path: '/admin/media/video/{id}/sound', summary: "Choose a film's sound" })
    .input(z.strictObject({ id, sound: z.int().min(0).max(63) }))
    .output(remakingSchema)
    .errors({ ...signedIn, ...refusals('NOT_FOUND', 'FILES_BUSY', 'STORAGE_FULL') }),
  working: oc
    .route({ method: 'GET', path: '/admin/media/video/{id}/sound', summary: 'How far the new sound is' })
    .input(z.strictObject({ id }))
    .output(remakingSchema)
    .errors({ ...signedIn, ...refusals('NOT_FOUND') }),
  /** What is there stays as it was. */
  stop: oc
    .route({ method: 'DELETE', path: '/admin/media/video/{id}/sound', summary: 'Stop the change of sound' })
    .input(z.strictObject({ id }))
    .output(remakingSchema)
    .errors(signedIn),
};
