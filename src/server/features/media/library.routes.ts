import { adminCalls } from '../../auth/admin-calls.ts';
import { throwIfRefused } from '../../http/or-refuse.ts';
import { activateFile, deleteFile, listMedia, setFocusPoint } from './library.ts';

export const libraryRoutes = {
  list: adminCalls.media.list.handler(async ({ context, input }) => {
    return listMedia(context.deps, context.actor, input);
  }),
  use: adminCalls.media.use.handler(async ({ context, input, errors }) => {
    return throwIfRefused(await activateFile(context.deps, context.actor, input), errors);
  }),
  focus: adminCalls.media.focus.handler(async ({ context, input, errors }) => {
    return throwIfRefused(await setFocusPoint(context.deps, context.actor, input), errors);
  }),
  remove: adminCalls.media.remove.handler(async ({ context, input, errors }) => {
    return throwIfRefused(await deleteFile(context.deps, context.actor, input), errors);
  }),
};
