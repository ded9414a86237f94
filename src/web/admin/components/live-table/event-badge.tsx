import { Badge } from '@mantine/core';
import { eventLabel } from '../../../../texts/admin/events.ts';

/** Colours of the event types (spec 4 «Event types»). */
const COLORS = new Map([
  ['session_started', 'teal'],
  ['session_ended', 'indigo'],
  ['access_granted', 'green'],
  ['access_denied', 'red'],
  ['forced_disconnect', 'orange'],
  ['token_created', 'blue'],
  ['token_revoked', 'grape'],
  ['admin_signed_in', 'cyan'],
  ['admin_sign_in_failed', 'red'],
  ['admin_password_changed', 'violet'],
  ['admin_email_changed', 'violet'],
  ['admin_sessions_ended', 'violet'],
  ['archive_downloaded', 'violet'],
  ['archive_restored', 'violet'],
]);
/** Colour of an unknown event type, shown with its raw name. */
const NEUTRAL = 'gray';

/** An event type's name and colour. */
export function EventBadge({ event_type }: { event_type: string }) {
  return (
    <Badge variant="light" tt="none" color={COLORS.get(event_type) ?? NEUTRAL} data-event={event_type}>
      {eventLabel(event_type)}
    </Badge>
  );
}
