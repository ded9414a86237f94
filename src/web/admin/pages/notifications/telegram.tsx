import { Alert, Badge, Box, Button, Group, List, Loader, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { siteSettingsSchema } from '../../../../contract/model.ts';
import { shouldKeepSearching } from '../../../../domain/channels.ts';
import { CHAT_SEARCH } from '../../../../domain/limits.ts';
import { chatTexts, notificationsTexts as texts } from '../../../../texts/admin/notifications.ts';
import { IconAlertTriangle, IconBrandTelegram, IconSearch } from '../../../ui/icons/icons.tsx';
import { api, queries } from '../../api.ts';
import { storedText } from '../../components/forms/stored-text.ts';
import { QrCode } from '../../components/qr-code.tsx';
import { messageOf } from '../../failure.ts';
import { ChannelCard, type ChannelForm, type ChannelOptions } from './channel-form.tsx';

const { shape } = siteSettingsSchema;

type TelegramValues = { telegram_chat_id: string; secret: string };

export const TELEGRAM: ChannelOptions<TelegramValues> = {
  name: 'telegram',
  secretField: 'telegram_bot_token',
  maskOf: ({ telegram_bot_token_masked }) => telegram_bot_token_masked ?? '',
  empty: { telegram_chat_id: '', secret: '' },
  toValues: ({ telegram_chat_id }) => ({ telegram_chat_id: telegram_chat_id ?? '', secret: '' }),
  toFields: ({ telegram_chat_id }) => ({ telegram_chat_id: storedText(telegram_chat_id) }),
  secretOf: ({ secret }) => secret.trim(),
  findErrors: ({ telegram_chat_id, secret }, { telegram_bot_token_masked }) => {
    const isKept = secret.trim() === '' && telegram_bot_token_masked !== null;
    const isToken = isKept || shape.telegram_bot_token.safeParse(secret.trim()).success;
    const isChat = shape.telegram_chat_id.safeParse(storedText(telegram_chat_id)).success;
    return {
      secret: isToken ? null : texts.token.invalid,
      telegram_chat_id: isChat ? null : texts.chat.invalid,
    };
  },
};

const RAW_INPUT = { size: 'md', autoComplete: 'off', autoCapitalize: 'off', spellCheck: false } as const;

/** The bot and the chat that receives the messages. */
export function TelegramCard({ form }: { form: ChannelForm<TelegramValues> }) {
  const { telegram_bot_token_masked: token, telegram_chat_id } = form.record;
  return (
    <ChannelCard form={form} isSavable={form.dirty || form.isSetUp}>
      {token === null && (
        <>
          <Button
            component="a"
            href="https://t.me/BotFather"
            target="_blank"
            rel="noopener noreferrer"
            variant="default"
            style={{ alignSelf: 'flex-start' }}
          >
            {texts.token.open}
          </Button>
          <List type="ordered" spacing="xs">
            {texts.token.steps.map((step) => (
              <List.Item key={step}>{step}</List.Item>
            ))}
          </List>
        </>
      )}
      <TextInput
        {...RAW_INPUT}
        label={texts.token.label}
        description={token === null ? texts.token.new : texts.token.kept(token)}
        placeholder={token ?? texts.token.placeholder}
        {...form.input('secret')}
      />
      {token !== null && (
        <>
          {/* Another bot has other chats. */}
          <FindChat
            key={token}
            saved={telegram_chat_id}
            onUse={(id) => form.saveWith({ telegram_chat_id: id })}
          />
          <TextInput
            {...RAW_INPUT}
            label={texts.chat.label}
            description={texts.chat.hint}
            placeholder={texts.chat.placeholder}
            {...form.input('telegram_chat_id')}
          />
        </>
      )}
    </ChannelCard>
  );
}

type FindChatProps = {
  /** The saved chat; null starts the search at once. */
  saved: string | null;
  onUse: (id: string) => void;
};

/** Finds the Telegram chat automatically: lists each user who presses «Avvia», for the administrator to choose (decision 055). */
function FindChat({ saved, onUse }: FindChatProps) {
  const [round, setRound] = useState(saved === null ? 1 : 0);
  const again = () => setRound(round + 1);
  if (round === 0) return <SearchButton label={chatTexts.find} onSearch={again} />;
  return <Search key={round} saved={saved} onUse={onUse} onAgain={again} />;
}

function SearchButton({ label, onSearch }: { label: string; onSearch: () => void }) {
  const icon = <IconSearch size={18} aria-hidden />;
  return (
    <Button variant="default" leftSection={icon} onClick={onSearch} style={{ alignSelf: 'flex-start' }}>
      {label}
    </Button>
  );
}

type SearchProps = FindChatProps & { onAgain: () => void };

function Search({ saved, onUse, onAgain }: SearchProps) {
  const [chosen, setChosen] = useState(false);
  const { bot, chats, problem, error, isEnded } = useChats(chosen);
  const use = (id: string) => {
    setChosen(true);
    onUse(id);
  };
  const wrong =
    error === null ? problem && chatTexts.problems[problem] : messageOf(error, chatTexts.lookFailed);
  return (
    <Stack gap="sm">
      {!chosen && <Text>{chatTexts.press}</Text>}
      {bot !== null && !chosen && <BotLink bot={bot} />}
      <Stack role="status" gap="sm">
        {wrong !== null && (
          <Alert color="red" icon={<IconAlertTriangle aria-hidden />}>
            {wrong}
          </Alert>
        )}
        {chats.length > 0 && (
          <>
            <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
              {chats.map((chat) => (
                <ChatItem key={chat.id} chat={chat} isUsed={chat.id === saved} onUse={use} />
              ))}
            </Stack>
            <Text size="sm" c="dimmed">
              {chatTexts.trust}
            </Text>
          </>
        )}
        {chats.length === 0 && isEnded && wrong === null && <Text>{chatTexts.none}</Text>}
        {!isEnded && (
          <Group gap="xs">
            <Loader size="xs" aria-hidden />
            <Text size="sm" c="dimmed">
              {chatTexts.waiting}
            </Text>
          </Group>
        )}
      </Stack>
      {isEnded && <SearchButton label={chatTexts.again} onSearch={onAgain} />}
    </Stack>
  );
}

/** Opens the bot with «Avvia», here or on a phone. */
function BotLink({ bot }: { bot: string }) {
  const href = `https://t.me/${bot}?start`;
  return (
    <>
      <Button
        component="a"
        href={href}
        target="_blank"
        rel="noopener noreferrer"
        variant="light"
        leftSection={<IconBrandTelegram size={18} aria-hidden />}
        style={{ alignSelf: 'flex-start' }}
      >
        {chatTexts.open(bot)}
      </Button>
      <Box visibleFrom="sm">
        <Text size="sm">{chatTexts.scan}</Text>
        <QrCode value={href} title={chatTexts.qr(bot)} />
      </Box>
    </>
  );
}

type ChatItemProps = { chat: FoundChat; isUsed: boolean; onUse: (id: string) => void };

/** A user or group. `dir="auto"`, because other people write the name. */
function ChatItem({ chat: { id, nome, utente, tipo }, isUsed, onUse }: ChatItemProps) {
  return (
    <Paper component="li" withBorder p="sm">
      <Group justify="space-between" gap="sm">
        <Text component="span" style={{ overflowWrap: 'anywhere' }}>
          {chatTexts.found} <b dir="auto">{nome}</b> {utente !== null && `(@${utente}) `}
          <Badge component="span" variant="light" tt="none" fw={550}>
            {chatTexts.kinds[tipo]}
          </Badge>
        </Text>
        {/* Stays in place after the press, so that it keeps the focus. */}
        <Button
          variant={isUsed ? 'light' : 'filled'}
          aria-label={isUsed ? chatTexts.selectedChat(nome) : chatTexts.takeFrom(nome)}
          aria-disabled={isUsed}
          onClick={() => {
            if (!isUsed) onUse(id);
          }}
        >
          {isUsed ? chatTexts.used : chatTexts.use}
        </Button>
      </Group>
    </Paper>
  );
}

type ChatSearch = Awaited<ReturnType<typeof api.notifications.chats>> & { polls: number };
type FoundChat = ChatSearch['chat'][number];

/**
 * Polls the chats of the saved bot while the page is visible. It ends after some minutes, on a problem, or after a choice. It
 * continues when the administrator returns from Telegram.
 */
function useChats(chosen: boolean) {
  // A separate cache key per search, so that it starts empty.
  const [search] = useState(() => crypto.randomUUID());
  const shouldContinue = (latest: ChatSearch | undefined) =>
    latest === undefined || shouldKeepSearching(latest.polls, latest.problema);
  const { data, error } = useQuery({
    queryKey: [...queries.notifications.chats.key(), search],
    queryFn: async ({ signal, client, queryKey }): Promise<ChatSearch> => {
      const result = await api.notifications.chats({}, { signal });
      return { ...result, polls: (client.getQueryData<ChatSearch>(queryKey)?.polls ?? 0) + 1 };
    },
    // An ended search stays ended after other refetches, so that the button does not disappear under the finger.
    enabled: ({ state }) => !chosen && shouldContinue(state.data),
    gcTime: 0,
    refetchInterval: ({ state }) => (state.error === null ? CHAT_SEARCH.everyMs : false),
  });
  return {
    bot: data?.bot ?? null,
    chats: data?.chat ?? [],
    problem: data?.problema ?? null,
    error,
    isEnded: chosen || error !== null || !shouldContinue(data),
  };
}
