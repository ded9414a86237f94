import { requireAdmin } from '../../auth/actor.ts';
import { os } from '../../http/orpc.ts';
import { orRefuse } from '../../http/refuse.ts';

/** What the sign-in page knows before anybody has signed in. */
export const door = os.admin.door.handler(async ({ context }) => {
  const { auth, env } = context.deps;
  const registration_open = await auth.registrationOpen();
  const first = registration_open && env.REGISTRATION === 'first';
  return { registration_open, first, setup_code_required: registration_open && env.SETUP_CODE !== undefined };
});

export const me = os.admin.me.handler(async ({ context, errors }) => {
  const { email } = orRefuse(await requireAdmin(context), errors);
  const { PUBLIC_URL, MAX_VIDEO_MB } = context.deps.env;
  return { email, public_url: PUBLIC_URL ?? null, max_video_bytes: MAX_VIDEO_MB * 1024 ** 2 };
});
