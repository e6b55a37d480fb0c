const STORED = 'guanjun:chime-muted'

let context: AudioContext | null = null

export function chimeMuted(): boolean {
  try {
    return localStorage.getItem(STORED) === 'yes'
  } catch {
    return false
  }
}

export function muteChime(muted: boolean): void {
  try {
    localStorage.setItem(STORED, muted ? 'yes' : 'no')
  } catch {
    // not remembered
  }
}

/** Browsers let a page sound only after somebody touched it: call this on the first key or click. */
export function readyChime(): void {
  if (!('AudioContext' in window)) return
  context ??= new AudioContext()
  void context.resume().catch(() => undefined)
}

/** Two falling tones, once: the last minutes have begun, or time is up. */
export function chime(): void {
  if (chimeMuted() || context === null || context.state !== 'running') return
  const begin = context.currentTime
  for (const [delay, frequency] of [
    [0, 880],
    [0.45, 660],
  ] as const) {
    const tone = context.createOscillator()
    const loudness = context.createGain()
    tone.frequency.value = frequency
    loudness.gain.setValueAtTime(0.001, begin + delay)
    loudness.gain.exponentialRampToValueAtTime(0.5, begin + delay + 0.02)
    loudness.gain.exponentialRampToValueAtTime(0.001, begin + delay + 1.2)
    tone.connect(loudness).connect(context.destination)
    tone.start(begin + delay)
    tone.stop(begin + delay + 1.3)
  }
}
