import { z } from 'zod';

const failedEntry = {
  token_value: z.string().optional(),
  success: z.literal(false),
  error_message: z.string(),
};

/** The bodies `notify-telegram` takes (spec 7). They are stored in the queue as they are. */
export const notificationSchema = z.union([
  /** A code that was refused; without `token_value`, something that failed in the page (missing video, loading, playing). */
  z.strictObject({ type: z.literal('access'), ...failedEntry }),
  /** The code's uses are finished. */
  z.strictObject({ type: z.literal('access_exceeded'), ...failedEntry }),
  z.strictObject({
    type: z.literal('access'),
    token_value: z.string(),
    success: z.literal(true),
    device_id: z.string(),
  }),
  z.strictObject({ type: z.literal('error'), ...failedEntry }),
  z.strictObject({
    type: z.literal('checkbox_response'),
    token_value: z.string(),
    risposta_1: z.boolean(),
    risposta_2: z.boolean(),
    viaggio: z.union([z.literal(1), z.literal(2)]),
  }),
]);

export type Notification = z.infer<typeof notificationSchema>;
