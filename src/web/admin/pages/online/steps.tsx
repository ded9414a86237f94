import { Stack, Text, TextInput, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { onlineTexts as texts } from '../../../../texts/admin/online.ts';
import { siteName } from './commands.ts';
import styles from './online.module.css';

/** What to do, one thing after the other. */
export function Steps({ children }: { children: ReactNode }) {
  return <ol className={styles.steps}>{children}</ol>;
}

export type StepProps = { title: string; text: string; children?: ReactNode };

export function Step({ title, text, children }: StepProps) {
  return (
    <li className={styles.step}>
      <Stack gap="xs">
        <Title order={3} size="h4">
          {title}
        </Title>
        <Text>{text}</Text>
        {children}
      </Stack>
    </li>
  );
}

/** The name that the commands below are made with. */
export function NameInput({ typed, onType }: { typed: string; onType: (typed: string) => void }) {
  const wrong = typed.trim() !== '' && siteName(typed) === null;
  return (
    <TextInput
      label={texts.name.label}
      description={texts.name.hint}
      placeholder={texts.name.placeholder}
      error={wrong ? texts.name.invalid : null}
      inputMode="url"
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      maw="24rem"
      value={typed}
      onChange={({ currentTarget }) => onType(currentTarget.value)}
    />
  );
}
