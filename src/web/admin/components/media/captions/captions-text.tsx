import { Button, FileButton, Group, Stack, Textarea } from '@mantine/core';
import { IconClockPlus, IconFileText } from '@tabler/icons-react';
import { type RefObject, useRef, useState } from 'react';
import { CAPTIONS } from '../../../../../domain/limits.ts';
import { captionsTexts as texts } from '../../../../../texts/admin/captions.ts';
import { errorSentences } from '../../../../../texts/errors.ts';
import styles from './captions.module.css';
import { decoded } from './decoded.ts';
import { withTime } from './with-time.ts';

/** What file dialogs know captions by; phones know only some of these. */
const ACCEPTED = '.srt,.vtt,text/vtt,application/x-subrip,text/plain';

type CaptionsTextProps = {
  text: string;
  /** Why it couldn't be saved. */
  error: string | null;
  /** The film, for the time that it shows. */
  video: RefObject<HTMLVideoElement | null>;
  onChange: (text: string) => void;
};

/** What the captions say: out of a file, or typed beside the film. */
export function CaptionsText({ text, error, video, onChange }: CaptionsTextProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const change = (changed: string) => {
    setProblem(null);
    onChange(changed);
  };
  const insert = () => {
    const at = area.current?.selectionStart ?? text.length;
    const { text: changed, caret } = withTime(text, at, video.current?.currentTime ?? 0);
    change(changed);
    requestAnimationFrame(() => {
      area.current?.focus();
      area.current?.setSelectionRange(caret, caret);
    });
  };
  return (
    <Stack gap="xs">
      <Textarea
        ref={area}
        className={styles.text ?? ''}
        label={texts.text}
        description={texts.hint}
        placeholder={texts.placeholder}
        error={problem ?? error}
        autosize
        minRows={5}
        maxRows={12}
        spellCheck
        lang="it"
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
      />
      <Group gap="xs">
        <ChooseFile onText={change} onProblem={setProblem} />
        <Button
          variant="default"
          size="sm"
          leftSection={<IconClockPlus size={16} aria-hidden />}
          onClick={insert}
        >
          {texts.now}
        </Button>
      </Group>
    </Stack>
  );
}

type ChooseFileProps = { onText: (text: string) => void; onProblem: (problem: string) => void };

/** A file's text comes into the field, where it can be changed before it is saved. */
function ChooseFile({ onText, onProblem }: ChooseFileProps) {
  // The same file, changed, may be chosen again.
  const forget = useRef<() => void>(null);
  const bring = async (file: File | null) => {
    forget.current?.();
    if (file === null) return;
    const read = await readFile(file);
    if ('problem' in read) onProblem(read.problem);
    else onText(read.text);
  };
  return (
    <FileButton
      resetRef={forget}
      accept={ACCEPTED}
      onChange={(file) => void bring(file)}
      inputProps={{ 'aria-label': texts.fileLabel }}
    >
      {(props) => (
        <Button {...props} variant="default" size="sm" leftSection={<IconFileText size={16} aria-hidden />}>
          {texts.file}
        </Button>
      )}
    </FileButton>
  );
}

/** The text in a file, or why it is none. */
async function readFile(file: File): Promise<{ text: string } | { problem: string }> {
  // Two bytes a sign at most; what has more is something else.
  if (file.size > 2 * CAPTIONS.signs) return { problem: errorSentences.CAPTIONS_TOO_LARGE };
  try {
    const text = decoded(await file.arrayBuffer());
    return text.includes('\0') ? { problem: errorSentences.CAPTIONS_UNREADABLE } : { text };
  } catch {
    return { problem: texts.fileFailed };
  }
}
