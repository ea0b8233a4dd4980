//! What a request and its answer cost over iceoryx2, shared memory without a store: two processes, one of which asks
//! with a byte and is answered with all values of an object. Beside `command` of objectbase.cpp.
//!
//!   SLOTS BYTES COUNT CORES
//!
//! Each side waits for an event of the other one, and copies what has come, as if to show it. Prints the processor time
//! of both sides, user and system, in microseconds for each transaction.
use iceoryx2::prelude::*;
use std::error::Error;

const WARM_UP: u64 = 200;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn used_us(who: libc::c_int) -> f64 {
    let mut used: libc::rusage = unsafe { std::mem::zeroed() };
    unsafe { libc::getrusage(who, &mut used) };
    (used.ru_utime.tv_sec + used.ru_stime.tv_sec) as f64 * 1e6 + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) as f64
}

fn stay_on(core: usize) {
    unsafe {
        let mut cores: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(core, &mut cores);
        libc::sched_setaffinity(0, std::mem::size_of::<libc::cpu_set_t>(), &cores);
    }
}

/// One direction: bytes, and an event that says that there are some.
struct Way {
    bytes: iceoryx2::service::port_factory::publish_subscribe::PortFactory<ipc::Service, [u8], ()>,
    event: iceoryx2::service::port_factory::event::PortFactory<ipc::Service>,
}

impl Way {
    fn new(node: &Node<ipc::Service>, name: &str) -> Outcome<Self> {
        Ok(Self {
            bytes: node
                .service_builder(&name.try_into()?)
                .publish_subscribe::<[u8]>()
                .open_or_create()?,
            event: node.service_builder(&name.try_into()?).event().open_or_create()?,
        })
    }
}

fn transactions(count: u64, mut each: impl FnMut(u64) -> Outcome<()>) -> Outcome<f64> {
    let mut begin = 0.0;
    for number in 0..WARM_UP + count {
        if number == WARM_UP {
            begin = used_us(libc::RUSAGE_SELF);
        }
        each(number)?;
    }
    Ok(used_us(libc::RUSAGE_SELF) - begin)
}

fn main() -> Outcome<()> {
    let words: Vec<usize> = std::env::args()
        .skip(1)
        .map(|word| word.parse())
        .collect::<Result<_, _>>()?;
    let [slots, bytes, count, cores] = words[..] else {
        return Err("SLOTS BYTES COUNT CORES".into());
    };
    let size = slots * bytes;
    let mut pipe = [0; 2];
    unsafe { libc::pipe(pipe.as_mut_ptr()) };
    let parent = std::process::id();
    let child = unsafe { libc::fork() };
    stay_on(if child == 0 { cores - 1 } else { 0 });
    let node = NodeBuilder::new().create::<ipc::Service>()?;
    let asked = Way::new(&node, &format!("heddle/asked/{parent}"))?;
    let answered = Way::new(&node, &format!("heddle/answered/{parent}"))?;
    let (own, other) = if child == 0 {
        (&asked, &answered)
    } else {
        (&answered, &asked)
    };
    let publisher = own.bytes.publisher_builder().initial_max_slice_len(size).create()?;
    let notifier = own.event.notifier_builder().create()?;
    let subscriber = other.bytes.subscriber_builder().create()?;
    let listener = other.event.listener_builder().create()?;
    let send = |text: &[u8]| -> Outcome<()> {
        publisher.loan_slice_uninit(text.len())?.write_from_slice(text).send()?;
        notifier.notify()?;
        Ok(())
    };
    let mut shown = vec![0u8; size];
    let mut receive = || -> Outcome<usize> {
        loop {
            if let Some(sample) = subscriber.receive()? {
                let text = sample.payload();
                shown[..text.len()].copy_from_slice(text);
                return Ok(text.len());
            }
            listener.blocking_wait_all(|_| {})?;
        }
    };
    // Both have all that they need before the first message.
    while other.bytes.dynamic_config().number_of_publishers() == 0
        || own.bytes.dynamic_config().number_of_subscribers() == 0
        || own.event.dynamic_config().number_of_listeners() == 0
        || other.event.dynamic_config().number_of_notifiers() == 0
    {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    if child == 0 {
        let used = transactions(count as u64, |number| {
            send(&[number as u8])?;
            let got = receive()?;
            if got == size {
                Ok(())
            } else {
                Err("not what was asked for".into())
            }
        })?;
        unsafe { libc::write(pipe[1], (&used as *const f64).cast(), 8) };
        return Ok(());
    }
    let mut text = vec![b'x'; size];
    let mut used = transactions(count as u64, |number| {
        receive()?;
        text[0] = number as u8;
        send(&text)
    })?;
    let mut others = 0.0f64;
    unsafe { libc::read(pipe[0], (&mut others as *mut f64).cast(), 8) };
    used += others;
    println!("{:.4}", used / count as f64);
    Ok(())
}
