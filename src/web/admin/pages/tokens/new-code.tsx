import { Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import type { TokenRecord } from '../../../../contract/records.ts';
import { tokensTexts } from '../../../../texts/admin/tokens.ts';
import { BigCode } from './big-code.tsx';
import { useCodeButtons } from './code-buttons.tsx';
import styles from './new-code.module.css';

type NewCodeProps = { token: TokenRecord; onDone: () => void };

/** The new code in large type, with the ways to hand it over. */
export function NewCode({ token, onDone }: NewCodeProps) {
  const buttons = useCodeButtons(token);
  const panel = useRef<HTMLDivElement>(null);
  // On a phone the panel is below the visible part. The button that created the code was disabled and has lost the focus.
  useEffect(() => {
    panel.current?.focus({ preventScroll: true });
    panel.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <Paper
      ref={panel}
      tabIndex={-1}
      withBorder
      p="lg"
      component="section"
      aria-labelledby="codice-pronto"
      className={styles.made}
    >
      <Stack align="center" gap="sm">
        <Title order={2} size="h4" id="codice-pronto" ta="center" className={styles.name}>
          {tokensTexts.made.title(token.nome)}
        </Title>
        <BigCode token={token.token} className={styles.code} />
        <Text c="dimmed" ta="center">
          {tokensTexts.made.hint}
        </Text>
        <Text ta="center">
          {tokensTexts.made.dontTry}{' '}
          <Anchor component={Link} to="/admin/preview" underline="always">
            {tokensTexts.made.rehearsal}
          </Anchor>
          .
        </Text>
        <Group justify="center" gap="sm">
          {buttons.map(({ label, icon: Icon, run }, index) => (
            <Button
              key={label}
              variant={index === 0 ? 'filled' : 'default'}
              leftSection={<Icon size={18} aria-hidden />}
              onClick={run}
            >
              {label}
            </Button>
          ))}
          <Button variant="subtle" onClick={onDone}>
            {tokensTexts.made.done}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
