import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApp, defineComponent, h, nextTick, ref, type App, type Component } from 'vue'
import { setLanguage } from '../src/shared/i18n/language'
import { LEVELS, type Level } from '../src/shared/levels'
import { Outbox } from '../src/shared/outbox'
import type { OutboxItem, OutboxStore } from '../src/shared/outbox-store'
import { useOutbox } from '../src/shared/outbox-view'
import AppSheet from '../src/shared/ui/AppSheet.vue'
import LevelPicker from '../src/shared/ui/LevelPicker.vue'
import TextField from '../src/shared/ui/TextField.vue'
import ToastStack from '../src/shared/ui/ToastStack.vue'
import { dismissToast, showToast, showUndo, toasts } from '../src/shared/ui/toasts'

let app: App | null = null

function mount(component: Component): HTMLElement {
  const host = document.createElement('div')
  document.body.appendChild(host)
  app = createApp(component)
  app.mount(host)
  return host
}

const press = (target: Element, key: string, shiftKey = false): void => {
  target.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true, cancelable: true }))
}

beforeEach(() => setLanguage('zh'))

afterEach(() => {
  app?.unmount()
  app = null
  document.body.innerHTML = ''
  toasts.value.forEach((toast) => dismissToast(toast.id))
})

describe('LevelPicker', () => {
  function picker(start: Level | null): { host: HTMLElement; chosen: () => Level | null } {
    const level = ref<Level | null>(start)
    const host = mount(() =>
      h(LevelPicker, {
        label: '海风',
        modelValue: level.value,
        'onUpdate:modelValue': (next: Level | null) => {
          level.value = next
        },
      }),
    )
    return { host, chosen: () => level.value }
  }

  it('offers every level once, the last as 过A', () => {
    const { host } = picker(null)
    const words = Array.from(host.querySelectorAll('[role=radio]'), (button) => button.textContent?.trim())
    expect(words).toEqual([...LEVELS.slice(0, -1), '过A'])
  })

  it('takes a tap, moves by arrows, and stops at the ends', async () => {
    const { host, chosen } = picker(null)
    host.querySelectorAll<HTMLElement>('[role=radio]')[8]?.click()
    await nextTick()
    expect(chosen()).toBe('10')
    const group = host.querySelector('[role=radiogroup]') as Element
    press(group, 'ArrowDown')
    await nextTick()
    expect(chosen()).toBe('A+')
    press(group, 'ArrowRight')
    await nextTick()
    expect(chosen()).toBe('A+')
    press(group, 'ArrowLeft')
    await nextTick()
    expect(chosen()).toBe('A')
    expect(host.querySelectorAll('[tabindex="0"]')).toHaveLength(1)
  })
})

describe('AppSheet', () => {
  it('takes the focus, keeps it inside, closes on Escape and gives it back', async () => {
    const open = ref(false)
    const host = mount(
      defineComponent(() => () => [
        h('button', { id: 'opener' }, 'open'),
        h(
          AppSheet,
          {
            title: '确认',
            open: open.value,
            'onUpdate:open': (next: boolean) => {
              open.value = next
            },
          },
          { default: () => h('button', { id: 'inside', 'data-autofocus': '' }, 'ok') },
        ),
      ]),
    )
    const opener = host.querySelector<HTMLElement>('#opener')
    opener?.focus()
    open.value = true
    await nextTick()
    await nextTick()
    expect(document.activeElement?.id).toBe('inside')
    press(document.activeElement as Element, 'Tab')
    expect(document.activeElement?.getAttribute('aria-label')).toBe('关闭')
    press(document.activeElement as Element, 'Tab', true)
    expect(document.activeElement?.id).toBe('inside')
    press(document.activeElement as Element, 'Escape')
    await nextTick()
    expect(document.querySelector('[role=dialog]')).toBeNull()
    expect(document.activeElement).toBe(opener)
  })
})

describe('TextField', () => {
  it('ties its label and its error to the input', () => {
    const host = mount(() => h(TextField, { label: '手机号', error: '应为 11 位', modelValue: '138' }))
    const input = host.querySelector('input')
    expect(host.querySelector('label')?.htmlFor).toBe(input?.id)
    expect(input?.getAttribute('aria-invalid')).toBe('true')
    expect(document.getElementById(input?.getAttribute('aria-describedby') ?? '')?.textContent).toBe('应为 11 位')
    expect(input?.value).toBe('138')
  })
})

describe('toasts', () => {
  it('runs the undo once and goes away', async () => {
    let undone = 0
    const host = mount(ToastStack)
    showUndo('已签到', () => {
      undone += 1
    })
    await nextTick()
    host.querySelector<HTMLElement>('button')?.click()
    await nextTick()
    expect(undone).toBe(1)
    expect(host.querySelector('.toast')).toBeNull()
  })

  it('announces errors as alerts', async () => {
    const host = mount(ToastStack)
    showToast('没能保存', 'error')
    await nextTick()
    expect(host.querySelector('[role=alert]')?.textContent).toContain('没能保存')
  })
})

describe('the sync pill', () => {
  class MemoryStore implements OutboxStore {
    private readonly kept = new Map<string, OutboxItem>()
    put = (item: OutboxItem): Promise<void> => Promise.resolve(void this.kept.set(item.key, { ...item }))
    remove = (key: string): Promise<void> => Promise.resolve(void this.kept.delete(key))
    all = (): Promise<OutboxItem[]> => Promise.resolve([...this.kept.values()].map((item) => ({ ...item })))
  }

  it('says what is true: waiting, unreachable, held, synced', async () => {
    const answers: (() => Promise<Response>)[] = [
      () => Promise.reject(new TypeError('offline')),
      () => Promise.resolve(new Response('{}', { status: 401 })),
      () => Promise.resolve(new Response('{}')),
    ]
    const outbox = new Outbox({ store: new MemoryStore(), fetch: () => (answers.shift() ?? answers[0])?.() ?? Promise.reject(new Error()) })
    const host = mount(
      defineComponent(() => {
        const { words } = useOutbox(outbox)
        return () => h('b', words.value)
      }),
    )
    const settled = async (): Promise<string | null> => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      return host.textContent
    }
    expect(await settled()).toBe('已同步')
    await outbox.enqueue('/api/x', 1)
    expect(await settled()).toBe('离线 · 待传 1')
    await outbox.flush(true)
    expect(await settled()).toBe('请重新确认身份')
    await outbox.flush(true)
    expect(await settled()).toBe('已同步')
  })
})
