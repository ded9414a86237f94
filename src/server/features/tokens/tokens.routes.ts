import { adminCalls } from '../../auth/admin-calls.ts';
import { throwIfRefused } from '../../http/or-refuse.ts';
import {
  addAccess,
  createToken,
  extendToken,
  listTokens,
  removeToken,
  setTokenActive,
} from './tokens.service.ts';

export const tokensRoutes = {
  list: adminCalls.tokens.list.handler(async ({ context }) => {
    return listTokens(context.deps, context.actor);
  }),
  create: adminCalls.tokens.create.handler(async ({ context, input, errors }) => {
    return throwIfRefused(await createToken(context.deps, context.actor, input), errors);
  }),
  setActive: adminCalls.tokens.setActive.handler(async ({ context, input, errors }) => {
    return throwIfRefused(await setTokenActive(context.deps, context.actor, input), errors);
  }),
  addAccess: adminCalls.tokens.addAccess.handler(async ({ context, input, errors }) => {
    return throwIfRefused(await addAccess(context.deps, context.actor, input), errors);
  }),
  extend: adminCalls.tokens.extend.handler(async ({ context, input, errors }) => {
    return throwIfRefused(await extendToken(context.deps, context.actor, input), errors);
  }),
  remove: adminCalls.tokens.remove.handler(async ({ context, input, errors }) => {
    return throwIfRefused(await removeToken(context.deps, context.actor, input), errors);
  }),
};
