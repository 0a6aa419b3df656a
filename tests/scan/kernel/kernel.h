/* As much of the Linux kernel's interface as the programs here use, declared and not defined. */
#pragma once

typedef struct spinlock {
	int slock;
} spinlock_t;
typedef struct {
	int cnt;
} rwlock_t;
struct mutex {
	int owner;
};
struct semaphore {
	int count;
};
struct rw_semaphore {
	int count;
};
struct completion {
	int done;
};

#define GFP_KERNEL                     0xcc0u
#define GFP_ATOMIC                     0xa20u
#define READ_ONCE(x)                   (*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, v)               (*(volatile __typeof__(x) *)&(x) = (v))
#define spin_lock_irqsave(lock, flags) ((flags) = _raw_spin_lock_irqsave(lock))

void spin_lock(spinlock_t *lock);
void spin_unlock(spinlock_t *lock);
int spin_trylock(spinlock_t *lock);
void spin_lock_irq(spinlock_t *lock);
void spin_unlock_irq(spinlock_t *lock);
void spin_lock_bh(spinlock_t *lock);
void spin_unlock_bh(spinlock_t *lock);
unsigned long _raw_spin_lock_irqsave(spinlock_t *lock);
void spin_unlock_irqrestore(spinlock_t *lock, unsigned long flags);
void read_lock(rwlock_t *lock);
void read_unlock(rwlock_t *lock);
void write_lock(rwlock_t *lock);
void write_unlock(rwlock_t *lock);
void mutex_lock(struct mutex *lock);
int mutex_lock_interruptible(struct mutex *lock);
int mutex_trylock(struct mutex *lock);
void mutex_unlock(struct mutex *lock);
void down(struct semaphore *sem);
void up(struct semaphore *sem);
void down_read(struct rw_semaphore *sem);
void up_read(struct rw_semaphore *sem);
void down_write(struct rw_semaphore *sem);
void up_write(struct rw_semaphore *sem);
void wait_for_completion(struct completion *c);
void complete(struct completion *c);
void local_irq_disable(void);
void local_irq_enable(void);
void preempt_disable(void);
void preempt_enable(void);
void rcu_read_lock(void);
void rcu_read_unlock(void);
void synchronize_rcu(void);
void *kmalloc(unsigned long size, unsigned int flags);
void kfree(const void *p);
void msleep(unsigned int ms);
void schedule(void);
unsigned long copy_from_user(void *to, const void *from, unsigned long n);
int request_irq(unsigned int irq, int (*handler)(int, void *), unsigned long flags,
	const char *name, void *dev);
