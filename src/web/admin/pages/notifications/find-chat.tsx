import { Alert, Badge, Button, Group, Loader, Paper, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconBrandTelegram, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { chatTexts as texts } from '../../../../texts/admin/chats.ts';
import { messageOf } from '../../failure.ts';
import { type FoundChat, useChats } from './use-chats.ts';

type FindChatProps = {
  /** The saved chat; null starts the search at once. */
  saved: string | null;
  onUse: (id: string) => void;
};

/** Finds the Telegram chat automatically: lists each user who presses «Avvia», for the administrator to choose (decision 055). */
export function FindChat({ saved, onUse }: FindChatProps) {
  const [round, setRound] = useState(saved === null ? 1 : 0);
  const again = () => setRound(round + 1);
  if (round === 0) return <SearchButton label={texts.find} onSearch={again} />;
  return <Search key={round} saved={saved} onUse={onUse} onAgain={again} />;
}

function SearchButton({ label, onSearch: onLook }: { label: string; onSearch: () => void }) {
  const icon = <IconSearch size={18} aria-hidden />;
  return (
    <Button variant="default" leftSection={icon} onClick={onLook} style={{ alignSelf: 'flex-start' }}>
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
  const wrong = error === null ? problem && texts.problems[problem] : messageOf(error, texts.lookFailed);
  return (
    <Stack gap="sm">
      {!chosen && <Text>{texts.press}</Text>}
      {bot !== null && !chosen && <BotLink bot={bot} />}
      <Stack role="status" gap="sm">
        {wrong !== null && (
          <Alert color="red" icon={<IconAlertTriangle aria-hidden />}>
            {wrong}
          </Alert>
        )}
        {chats.length > 0 && <Chats chats={chats} saved={saved} onUse={use} />}
        {chats.length === 0 && isEnded && wrong === null && <Text>{texts.none}</Text>}
        {!isEnded && <Waiting />}
      </Stack>
      {isEnded && <SearchButton label={texts.again} onSearch={onAgain} />}
    </Stack>
  );
}

/** Link that opens the bot with «Avvia». */
function BotLink({ bot }: { bot: string }) {
  return (
    <Button
      component="a"
      href={`https://t.me/${bot}?start`}
      target="_blank"
      rel="noopener noreferrer"
      variant="light"
      leftSection={<IconBrandTelegram size={18} aria-hidden />}
      style={{ alignSelf: 'flex-start' }}
    >
      {texts.open(bot)}
    </Button>
  );
}

function Waiting() {
  return (
    <Group gap="xs">
      <Loader size="xs" aria-hidden />
      <Text size="sm" c="dimmed">
        {texts.waiting}
      </Text>
    </Group>
  );
}

type ChatsProps = { chats: readonly FoundChat[]; saved: string | null; onUse: (id: string) => void };

function Chats({ chats, saved, onUse }: ChatsProps) {
  return (
    <>
      <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
        {chats.map((chat) => (
          <Paper key={chat.id} component="li" withBorder p="sm">
            <Group justify="space-between" gap="sm">
              <ChatName {...chat} />
              <UseButton chat={chat} isUsed={chat.id === saved} onUse={onUse} />
            </Group>
          </Paper>
        ))}
      </Stack>
      <Text size="sm" c="dimmed">
        {texts.trust}
      </Text>
    </>
  );
}

/** Name of a user or group. `dir="auto"`, because other people write it. */
function ChatName({ nome, utente, tipo }: FoundChat) {
  return (
    <Text component="span" style={{ overflowWrap: 'anywhere' }}>
      {texts.found} <b dir="auto">{nome}</b> {utente !== null && `(@${utente}) `}
      <Badge component="span" variant="light" tt="none" fw={550}>
        {texts.kinds[tipo]}
      </Badge>
    </Text>
  );
}

type UseButtonProps = { chat: FoundChat; isUsed: boolean; onUse: (id: string) => void };

/** Stays in place after the press, so that it keeps the focus. */
function UseButton({ chat, isUsed, onUse }: UseButtonProps) {
  return (
    <Button
      variant={isUsed ? 'light' : 'filled'}
      aria-label={isUsed ? texts.selectedChat(chat.nome) : texts.takeFrom(chat.nome)}
      aria-disabled={isUsed}
      onClick={() => {
        if (!isUsed) onUse(chat.id);
      }}
    >
      {isUsed ? texts.used : texts.use}
    </Button>
  );
}
