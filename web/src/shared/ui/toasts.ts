import { ref } from 'vue'

export interface Toast {
  id: number
  kind: 'success' | 'info' | 'error'
  text: string
  /** Offered as 撤销 while the toast stands. */
  undo: (() => void | Promise<void>) | null
}

/** Long enough to read; with an undo, the ten seconds the product promises. */
const LIFE = 4000
const UNDO_LIFE = 10_000

export const toasts = ref<Toast[]>([])
let nextId = 1

export function dismissToast(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}

/** Says something that asks for no decision; errors stay until they are closed. */
export function showToast(text: string, kind: Toast['kind'] = 'success', undo: Toast['undo'] = null): number {
  const id = nextId
  nextId += 1
  toasts.value = [...toasts.value.slice(-2), { id, kind, text, undo }]
  if (kind !== 'error') setTimeout(() => dismissToast(id), undo ? UNDO_LIFE : LIFE)
  return id
}

/** Says what was done and offers to take it back for ten seconds. */
export function showUndo(text: string, undo: () => void | Promise<void>): number {
  return showToast(text, 'success', undo)
}
