import { readAdmin } from '../../auth/actor.ts';
import { adminCalls } from '../../auth/admin-calls.ts';
import { throwIfRefused } from '../../http/or-refuse.ts';
import { os } from '../../http/orpc.ts';
import {
  createRehearsalPass,
  passExpiresAt,
  revokeRehearsalPass,
  verifyRehearsalPass,
} from './pass.service.ts';
import { rehearsedContent } from './rehearsal.ts';
import { contentVersion, recordCompleted } from './seen.service.ts';
import { requireSpectator } from './spectator.ts';

export const rehearsalRoutes = {
  read: os.admin.rehearsal.read.handler(async ({ context, errors }) => {
    const spectator = throwIfRefused(await requireSpectator(context), errors);
    // A pass would outlast the administrator's session here, and then report an ended rehearsal instead of requesting a sign-in.
    if (spectator.as === 'admin' && context.cookies.rehearsal !== null) context.clearPassCookie('rehearsal');
    const snapshot = throwIfRefused(await rehearsedContent(context.deps, spectator), errors);
    return { as: spectator.as, snapshot, version: contentVersion(snapshot) };
  }),
  seen: os.admin.rehearsal.seen.handler(async ({ context, input, errors }) => {
    const spectator = throwIfRefused(await requireSpectator(context), errors);
    await recordCompleted(context.deps, spectator, { ...input, user_agent: context.user_agent });
    return {};
  }),
  pass: adminCalls.rehearsal.pass.handler(async ({ context, input }) => {
    return createRehearsalPass(context.deps, context.actor, input);
  }),
  openUntil: adminCalls.rehearsal.openUntil.handler(async ({ context }) => {
    return passExpiresAt(context.deps, context.actor);
  }),
  close: adminCalls.rehearsal.close.handler(async ({ context }) => {
    await revokeRehearsalPass(context.deps, context.actor);
    return {};
  }),
  enter: os.admin.rehearsal.enter.handler(async ({ context, input: { pass }, errors }) => {
    const { ends } = throwIfRefused(await verifyRehearsalPass(context.deps, pass), errors);
    // A signed-in administrator needs no pass.
    const signedIn = (await readAdmin(context.deps.auth, context.headers)) !== null;
    if (!signedIn) context.setPassCookie('rehearsal', pass, ends);
    return { scadenza: ends.toISOString() };
  }),
};
