/** The notes of the sound: frequency in Hertz, and when each begins, in seconds. */
const notes: readonly (readonly [hertz: number, after: number])[] = [
  [659.26, 0],
  [880, 0.12],
];
/** Seconds that a note takes to fade. */
const fade = 0.35;
const loudness = 0.08;

/**
 * Plays the short sound of a notice, which is computed and not loaded. Silent until the user has used the page once:
 * browsers play nothing before.
 */
export function ring(): void {
  const audio = new AudioContext();
  const end = Math.max(...notes.map(([, after]) => after)) + fade;
  for (const [hertz, after] of notes) {
    const start = audio.currentTime + after;
    const tone = new OscillatorNode(audio, { frequency: hertz });
    const volume = new GainNode(audio, { gain: loudness });
    volume.gain.setValueAtTime(loudness, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + fade);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + fade);
  }
  setTimeout(() => void audio.close(), (end + 0.1) * 1_000);
}
