import { adminCalls } from '../../auth/admin-calls.ts';
import { calls } from '../../http/calls.ts';
import {
  addAccess,
  createToken,
  extendToken,
  listTokens,
  removeToken,
  setTokenActive,
} from './tokens.service.ts';

export const tokensCalls = calls(adminCalls.tokens, {
  list: listTokens,
  create: (ctx, input) => createToken(ctx, input),
  setActive: setTokenActive,
  addAccess,
  extend: extendToken,
  remove: removeToken,
});
