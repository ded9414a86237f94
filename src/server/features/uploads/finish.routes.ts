import { adminCalls } from '../../auth/admin-calls.ts';
import { throwIfRefused } from '../../http/or-refuse.ts';
import { dismissUpload, finishUpload, listArrived } from './finish.service.ts';
import { joinTickets } from './join.service.ts';
import { takePoster } from './poster.service.ts';

/** Calls for completed uploads and for files made from stored ones. */
export const uploadsRoutes = {
  arrived: adminCalls.media.arrived.handler(async ({ context }) => listArrived(context.deps, context.actor)),
  finish: adminCalls.media.finish.handler(async ({ context, input, errors }) => {
    return throwIfRefused(await finishUpload(context.deps, context.actor, input), errors);
  }),
  dismiss: adminCalls.media.dismiss.handler(async ({ context, input, errors }) => {
    return throwIfRefused(await dismissUpload(context.deps, context.actor, input), errors);
  }),
  join: adminCalls.media.join.handler(async ({ context, input, errors }) => {
    return throwIfRefused(await joinTickets(context.deps, context.actor, input), errors);
  }),
  poster: adminCalls.media.poster.handler(async ({ context, input, errors }) => {
    return throwIfRefused(await takePoster(context.deps, context.actor, input), errors);
  }),
};
