import { requireAdmin } from '../../auth/actor.ts';
import { orRefuse } from '../../http/or-refuse.ts';
import { os } from '../../http/orpc.ts';
import {
  addAccess,
  createToken,
  extendToken,
  listTokens,
  removeToken,
  setTokenActive,
} from './tokens.service.ts';

export const tokensRoutes = {
  list: os.admin.tokens.list.handler(async ({ context, errors }) => {
    const actor = orRefuse(await requireAdmin(context), errors);
    return listTokens(context.deps, actor);
  }),
  create: os.admin.tokens.create.handler(async ({ context, input, errors }) => {
    const actor = orRefuse(await requireAdmin(context), errors);
    return orRefuse(await createToken(context.deps, actor, input), errors);
  }),
  setActive: os.admin.tokens.setActive.handler(async ({ context, input, errors }) => {
    const actor = orRefuse(await requireAdmin(context), errors);
    return orRefuse(await setTokenActive(context.deps, actor, input), errors);
  }),
  addAccess: os.admin.tokens.addAccess.handler(async ({ context, input, errors }) => {
    const actor = orRefuse(await requireAdmin(context), errors);
    return orRefuse(await addAccess(context.deps, actor, input), errors);
  }),
  extend: os.admin.tokens.extend.handler(async ({ context, input, errors }) => {
    const actor = orRefuse(await requireAdmin(context), errors);
    return orRefuse(await extendToken(context.deps, actor, input), errors);
  }),
  remove: os.admin.tokens.remove.handler(async ({ context, input, errors }) => {
    const actor = orRefuse(await requireAdmin(context), errors);
    orRefuse(await removeToken(context.deps, actor, input), errors);
    return {};
  }),
};
