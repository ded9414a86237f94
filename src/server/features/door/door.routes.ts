import { requireAdmin } from '../../auth/actor.ts';
import { os } from '../../http/orpc.ts';
import { orRefuse } from '../../http/refuse.ts';

/** What the sign-in page knows before anybody has signed in. */
export const door = os.admin.door.handler(async ({ context }) => {
  const { auth, env } = context.deps;
  const registration_open = await auth.registrationOpen();
  return { registration_open, setup_code_required: registration_open && env.SETUP_CODE !== undefined };
});

export const me = os.admin.me.handler(async ({ context, errors }) => {
  const { email } = orRefuse(await requireAdmin(context), errors);
  return { email, public_url: context.deps.env.PUBLIC_URL ?? null };
});
