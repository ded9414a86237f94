let works: Promise<boolean> | undefined;

/** iPhones accept a volume, give it back at once, and put it to 1 in a later task: the answer takes 60 ms. Asked once. */
export function volumeWorks(): Promise<boolean> {
  works ??= new Promise((resolve) => {
    const probe = document.createElement('audio');
    probe.volume = 0.5;
    setTimeout(() => resolve(probe.volume === 0.5), 60);
  });
  return works;
}
