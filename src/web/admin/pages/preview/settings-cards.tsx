import { previewCardTexts, previewTexts } from '../../../../texts/admin/preview.ts';
import { longDay } from '../../../../texts/dates.ts';
import { dayAndHour } from '../../../../texts/opening-time.ts';
import type { Settings } from '../../components/evening/evening-data.ts';
import { nonBlank, PreviewCard, Value, Values } from './preview-card.tsx';

/** Channels of the notifications; the token is masked. */
export function NotificationsCard({ config }: { config: Settings }) {
  const labels = previewCardTexts.notifications;
  return (
    <PreviewCard title={labels.title} path="/admin/notifiche" action={previewTexts.edit}>
      <Values>
        <Value name={labels.token}>{config.telegram_bot_token_masked}</Value>
        <Value name={labels.chat}>{config.telegram_chat_id}</Value>
        <Value name={labels.email} gender="feminine">
          {config.email_to}
        </Value>
      </Values>
    </PreviewCard>
  );
}

/** Settings of the evening. */
export function EveningCard({ config }: { config: Settings }) {
  const labels = previewCardTexts.evening;
  const { data_laurea } = config;
  return (
    <PreviewCard title={labels.title} path="/admin/serata" action={previewTexts.edit}>
      <Values>
        <Value name={labels.graduation} gender="feminine">
          {data_laurea && longDay(data_laurea)}
        </Value>
        <Value name={labels.opening} gender="feminine">
          {config.opens_at && dayAndHour(config.opens_at, undefined, 'numeric')}
        </Value>
        <Value name={labels.contact}>{nonBlank(config.contatto)}</Value>
      </Values>
    </PreviewCard>
  );
}
