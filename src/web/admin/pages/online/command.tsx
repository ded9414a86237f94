import { Button, Code, Stack } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { onlineTexts as texts } from '../../../../texts/admin/online.ts';
import { copyText } from '../../components/copy-text.tsx';
import styles from './online.module.css';

/** A command to be pasted somewhere else. */
export function Command({ children }: { children: string }) {
  return <Copied text={children} label={texts.copy} copied={texts.commandCopied} />;
}

/** An address to be opened somewhere else. */
export function Address({ children }: { children: string }) {
  return <Copied text={children} label={texts.copyAddress} copied={texts.addressCopied} />;
}

function Copied({ text, label, copied }: { text: string; label: string; copied: string }) {
  return (
    <Stack gap="xs" align="flex-start" w="100%">
      <Code block fz="sm" className={styles.command}>
        {text}
      </Code>
      <Button
        variant="default"
        leftSection={<IconCopy size={18} aria-hidden />}
        onClick={() => void copyText(text, copied)}
      >
        {label}
      </Button>
    </Stack>
  );
}
